/** What a sentence tells of the work: something was decided, did not work, is open, or comes next. */
const STATEMENTS = ['decided', 'failed', 'next', 'open'] as const;
export type Statement = (typeof STATEMENTS)[number];

/** Words that give a sentence away, in languages that part words by blanks: English, German, French, Spanish, Portuguese. Each is a piece of a pattern. */
const SPOKEN: Readonly<Record<Statement, readonly string[]>> = {
  decided: [
    "decid(?:ed|ing) (?:to|on|against|that|not)|(?:we|i)(?:'ve| have)? (?:decided|chose|chosen|agreed|settled on|opted|went with|picked)",
    "(?:let'?s|we(?:'ll| will)|i(?:'ll| will)) (?:go with|use|keep|stick (?:with|to)|switch to|drop)|going with|from now on|decision(?= ?:| was| is)",
    'use \\S+(?: \\S+)? (?:instead of|rather than|over|not) \\S+|instead of \\S+(?: \\S+)?,? (?:we|i) (?:use|will)|chosen over|in favou?r of',
    'entschieden|beschlossen|entscheidung(?= ?:| ist| war)|wir (?:nehmen|verwenden|nutzen|bleiben bei)|ab jetzt|ab sofort|lass uns|statt(?:dessen)? .{2,40} (?:nehmen|verwenden|nutzen)',
    "(?:nous avons|on a|j'ai) (?:décidé|choisi|opté)|décision(?= ?:| est)|on (?:utilise|prend|choisit|garde|part sur)|désormais|utilis(?:er|ons) .{2,40} (?:au lieu de|plutôt que)",
    '(?:hemos |he )?(?:decidido|decidimos|decidí|elegido|elegimos|optamos)|decisión(?= ?:| es)|vamos a usar|usaremos|a partir de ahora|usar .{2,40} en (?:lugar|vez) de',
    'decidi(?:mos|do|u)?|escolhemos|decisão(?= ?:| é)|vamos usar|usaremos|a partir de agora|usar .{2,40} em vez de|optamos',
  ],
  failed: [
    "(?:did|does|do|will|would)(?:n'?t| not) work|didn'?t help|fail(?:s|ed) (?:because|with|on|due)|gave up|revert(?:ed|ing)|dead end|turned out (?:not|that|to)|does(?:n'?t| not) support|no luck",
    '(?:hat|haben) nicht (?:funktioniert|geklappt|geholfen)|(?:funktioniert|klappt|geht) nicht|fehlgeschlagen|gescheitert|ging nicht|zurückgenommen|aufgegeben',
    "n'a pas (?:fonctionné|marché|suffi)|ne (?:fonctionne|marche) pas|a échoué|échoue|abandonné",
    'no funcion(?:ó|a|aba)|falló|fallaron|ha fallado|falla (?:porque|con)|revertid[oa]|no sirvió|descartad[oa]',
    'não funcion(?:ou|a|ava)|falhou|falharam|falha (?:porque|com)|revertid[oa]|não deu certo|descartad[oa]',
  ],
  next: [
    "next steps?|next up|next,? (?:we|i|you)(?:'ll| will| should| can| need)?|the next thing|(?:continue|proceed) with|pick(?:ing)? up (?:at|from|with)|tomorrow|follow[- ]ups?(?= ?:)",
    'nächste[rn]? schritte?|als nächstes|weiter(?:machen)? mit|morgen',
    'prochaines? étapes?|ensuite|la suite(?= ?:)|demain',
    '(?:próximo|siguiente) paso|próximos pasos|a continuación|mañana',
    'próximos? passos?|a seguir|em seguida|amanhã',
  ],
  open: [
    "todo|to-do|fixme|still (?:needs?|open|fails?|failing|missing|to do|have to|need to|unclear)|remains? (?:to|open|unclear)|remaining(?= ?:| tasks| work)|not yet|open questions?|left to do|unresolved|blocked (?:by|on)|waiting (?:for|on)|pending|haven'?t (?:yet|been)|yet to be",
    'offene? (?:frage|punkt|aufgabe)\\S*|ist offen|bleibt offen|noch (?:nicht|offen|zu tun)|fehlt noch|fehlen noch|steht noch aus|muss noch|müssen noch|ungeklärt|blockiert',
    'reste(?:nt)? à|à faire|pas encore|en attente|questions? ouvertes?|il faut encore|bloqué',
    'pendientes?|por hacer|(?:todavía|aún) (?:no|falta)|faltan? (?!de)|quedan? por|bloquead[oa]',
    'pendentes?|por fazer|ainda (?:não|falta)|faltam? (?!de)|bloquead[oa]',
  ],
};

/** The same in Japanese and Chinese, where words are not parted. */
const UNPARTED: Readonly<Record<Statement, string>> = {
  decided:
    'に決め|ことに(?:し|決)|を採用|決定(?:し|事項|：|:)|方針|にしました|决定|決定|采用|採用|改用|选择了|选用|不再使用|统一使用',
  failed: 'うまくいか|動か(?:な|ず)|失敗|動作しな|元に戻し|失败|没有成功|不起作用|行不通|回滚|無効でした|不管用',
  next: '次のステップ|次は|次に|次回|明日|下一步|接下来|接著|下次|明天|后续',
  open: '未対応|未完了|未解決|残(?:って|り|課題)|まだ|要対応|保留|待办|待处理|尚未|还没|未完成|未解决|仍需|还需要|还要|待定|遗留',
};

const PATTERNS = Object.fromEntries(
  STATEMENTS.map((kind) => [
    kind,
    new RegExp(`(?<![\\p{L}\\p{N}_])(?:${SPOKEN[kind].join('|')})(?![\\p{L}\\p{N}_])|(?:${UNPARTED[kind]})`, 'iu'),
  ]),
) as Record<Statement, RegExp>;

/** What the sentence tells; null for most. What is still to come goes before what was decided: "next we use X" is no decision yet. */
export function readStatement(sentence: string): Statement | null {
  for (const kind of ['next', 'open', 'failed', 'decided'] as const) if (PATTERNS[kind].test(sentence)) return kind;
  return null;
}

/** Headings say it in a word. */
const HEADINGS: Readonly<Record<Statement, RegExp>> = {
  decided:
    /^(?:(?:key |design )?decisions?|decided|entscheidung(?:en)?|décisions?|decisi(?:ón|ones)|decis(?:ão|ões)|決定事項|决定|决策)(?!\p{L})/iu,
  failed:
    /^(?:failed|failures|what (?:failed|did(?:n't| not) work)|gescheitert|fehlschläge|échecs?|fallos?|falhas?|失敗|失败)(?!\p{L})/iu,
  next: /^(?:(?:optional |recommended |suggested )?next|weiter|suite|siguientes?|próxim[oa]s?|次|后续|下一步)(?!\p{L})/iu,
  open: /^(?:open|pending|remaining|unresolved|todos?|offen|ouverts?|abiert[oa]s?|abert[oa]s?|pendências|課題|残課題|待办|遗留问题)(?!\p{L})/iu,
};

export function readHeadingWord(heading: string): Statement | null {
  return STATEMENTS.find((kind) => HEADINGS[kind].test(heading)) ?? readStatement(heading);
}
