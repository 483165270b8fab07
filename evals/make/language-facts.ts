// Small sets in other languages: [said, asked, asked in English]. Each line is one memory and the questions it answers.
export type LanguageFact = readonly [said: string, asked: string, english: string];

export const LANGUAGE_FACTS: Readonly<Record<string, readonly LanguageFact[]>> = {
  zh: [
    [
      '登录接口改用短期令牌，有效期十五分钟，刷新令牌存数据库。',
      '访问凭证多久过期？',
      'How long does the access token live?',
    ],
    [
      '图片压缩服务内存溢出，原因是一次读入整个文件，现在改成流式处理。',
      '为什么缩图程序会崩溃？',
      'Why did the image service run out of memory?',
    ],
    [
      '支付模块的金额一律用整数分保存，禁止使用浮点数。',
      '价格应该用什么数据类型？',
      'How are amounts of money stored?',
    ],
    ['数据库备份每天凌晨两点半执行，保留十四天。', '多长时间之前的数据可以恢复？', 'How long are the backups kept?'],
    [
      '搜索索引用 Rust 重写，Python 版本不再维护。',
      '新的检索组件用哪种语言开发？',
      'Which language is the new indexer written in?',
    ],
    ['小王负责邮件发送服务，有问题找他。', '发信功能出故障联系谁？', 'Who owns the mail service?'],
    ['测试环境端口是 9473，生产环境走负载均衡。', '预发布服务器怎么连接？', 'Which port does staging use?'],
    ['日志里不能出现手机号和邮箱，只写追踪编号。', '记录输出时有什么隐私要求？', 'What may the logs contain?'],
    ['死锁是因为两个事务加锁顺序相反，按编号排序后解决。', '事务互相等待怎么处理的？', 'How was the deadlock solved?'],
    ['李娜喜欢先看结论再看解释。', '给李娜写回复要注意什么？', 'How does Li Na want answers written?'],
    ['移动端同步冲突时以服务器时间较新的为准。', '手机和服务器数据不一致听谁的？', 'Which side wins a sync conflict?'],
    ['合并请求必须附上性能测试结果。', '提交代码之前需要提供什么？', 'What must a pull request include?'],
  ],
  ja: [
    [
      '認証エラーの原因はサーバー時刻のずれだった。NTPを有効にして解決。',
      'ログインできない問題はどう直した？',
      'What fixed the authentication error?',
    ],
    ['請求処理の金額は整数の銭単位で保存する。', '料金のデータ型は何を使う？', 'How are amounts stored?'],
    ['バックアップは毎日午前二時半、十四日間保存。', '何日前まで復元できる？', 'How long are backups kept?'],
    ['検索サービスはRustで書き直すことに決めた。', '新しい検索の開発言語は？', 'Which language was chosen for search?'],
    ['メール送信は田中さんが担当している。', '通知が届かない時は誰に聞く？', 'Who is responsible for mail?'],
    ['テストはモックを使わず本物のデータベースで行う。', '試験の方針は？', 'What is the testing policy?'],
    ['ステージング環境のポートは9473番。', '検証サーバーへの接続先は？', 'Which port does staging listen on?'],
    [
      '画像変換はメモリ不足で落ちたのでストリーム処理に変えた。',
      '縮小プログラムが止まった理由は？',
      'Why did the image converter crash?',
    ],
  ],
  de: [
    [
      'Der Rechnungsdienst speichert Beträge als ganze Cent, niemals als Fließkommazahl.',
      'Welchen Zahlentyp haben Preise?',
      'How are amounts of money stored?',
    ],
    [
      'Anmeldung scheiterte wegen falscher Serverzeit; seit NTP läuft, ist Ruhe.',
      'Warum konnte sich niemand einloggen?',
      'Why did logins fail?',
    ],
    [
      'Sicherungen laufen nachts um halb drei und bleiben vierzehn Tage liegen.',
      'Wie weit reichen die Backups zurück?',
      'How long do we keep backups?',
    ],
    [
      'Der Suchindex wird in Rust neu geschrieben, die Python-Fassung ist eingefroren.',
      'In welcher Sprache entsteht die neue Suche?',
      'What is the new indexer written in?',
    ],
    [
      'Für den Mailversand ist Jonas zuständig.',
      'Wen frage ich, wenn Benachrichtigungen ausbleiben?',
      'Who owns outgoing mail?',
    ],
    [
      'Protokolle dürfen keine Adressen oder Namen enthalten, nur die Ablaufnummer.',
      'Was darf geloggt werden?',
      'What may appear in log files?',
    ],
    [
      'Verklemmungen verschwanden, seit wir Zeilen nach Nummer sortiert sperren.',
      'Wie wurde der Deadlock behoben?',
      'How was the deadlock solved?',
    ],
    [
      'Lena möchte zuerst den Befehl sehen und danach die Erklärung.',
      'Wie soll ich Lena antworten?',
      'How does Lena like her answers?',
    ],
  ],
  fr: [
    [
      'Les montants sont enregistrés en centimes entiers, jamais en nombres à virgule.',
      'Quel type utiliser pour les prix ?',
      'How are prices stored?',
    ],
    [
      'La connexion échouait car l’horloge du serveur dérivait ; NTP activé, problème réglé.',
      'Pourquoi les utilisateurs ne pouvaient-ils plus entrer ?',
      'Why did sign-in fail?',
    ],
    [
      'Sauvegarde chaque nuit à deux heures et demie, conservée quatorze jours.',
      'Jusqu’à quand peut-on restaurer les données ?',
      'How long are backups kept?',
    ],
    [
      'L’indexeur sera réécrit en Rust, la version Python est gelée.',
      'Quel langage pour le nouveau moteur de recherche ?',
      'Which language for the new indexer?',
    ],
    [
      'Camille s’occupe de l’envoi des courriels.',
      'À qui parler si les messages n’arrivent pas ?',
      'Who is in charge of e-mail?',
    ],
    [
      'Pas de simulacres : on teste avec la vraie base dans un conteneur.',
      'Quelle est la politique de tests ?',
      'How do we test?',
    ],
    ['Le port de préproduction est 9473.', 'Comment joindre le serveur d’essai ?', 'What is the staging port?'],
    [
      'Le redimensionnement d’images saturait la mémoire ; il lit maintenant par morceaux.',
      'Pourquoi le traitement des photos plantait-il ?',
      'Why did image resizing crash?',
    ],
  ],
  es: [
    [
      'Los importes se guardan en céntimos enteros, nunca con decimales.',
      '¿Qué tipo de dato llevan los precios?',
      'How are amounts stored?',
    ],
    [
      'El inicio de sesión fallaba por la hora del servidor; con NTP se arregló.',
      '¿Por qué nadie podía entrar?',
      'Why did login fail?',
    ],
    [
      'La copia de seguridad corre a las dos y media y se conserva catorce días.',
      '¿Hasta cuándo podemos recuperar datos?',
      'How long do backups last?',
    ],
    [
      'El buscador se reescribe en Rust; la versión de Python queda congelada.',
      '¿En qué lenguaje será el nuevo índice?',
      'What language is the new search written in?',
    ],
    ['Marta lleva el envío de correos.', '¿A quién aviso si no llegan las notificaciones?', 'Who owns mail delivery?'],
    [
      'En los registros no puede aparecer ningún nombre ni dirección.',
      '¿Qué norma de privacidad siguen los logs?',
      'What must not be logged?',
    ],
    ['El puerto de pruebas es el 9473.', '¿Cómo me conecto al entorno de ensayo?', 'Which port is staging on?'],
    [
      'El bloqueo mutuo se resolvió ordenando las filas por identificador.',
      '¿Cómo se evitó que las transacciones se esperasen?',
      'How was the deadlock solved?',
    ],
  ],
  pt: [
    [
      'Os valores são gravados em centavos inteiros, nunca em ponto flutuante.',
      'Que tipo de dado usamos para preços?',
      'How are amounts stored?',
    ],
    [
      'O login falhava por causa do relógio do servidor; com NTP ficou resolvido.',
      'Por que ninguém conseguia entrar?',
      'Why did login fail?',
    ],
    [
      'A cópia de segurança roda às duas e meia e fica guardada catorze dias.',
      'Até quando dá para restaurar os dados?',
      'How long are backups kept?',
    ],
    [
      'O indexador será reescrito em Rust; a versão em Python está congelada.',
      'Qual linguagem terá a nova busca?',
      'Which language is the new indexer in?',
    ],
    [
      'A Beatriz cuida do envio de e-mails.',
      'Com quem falo quando as notificações não chegam?',
      'Who is responsible for mail?',
    ],
    [
      'Nada de dublês: testamos com o banco de verdade num contêiner.',
      'Qual é a regra para os testes?',
      'How do we test?',
    ],
  ],
};
