"""Writes own.json: developer memories and personal notes with questions that avoid their wording, in seven languages. Made by hand for this project.

usage: make_own.py OUT_FOLDER
"""

import json
import sys

ENGLISH = """
We keep user sessions in Redis so that a restart of the web process logs nobody out. | Where do login states live? | Why do people stay signed in after we redeploy?
The nightly export failed because the S3 bucket policy denied PutObject; granting the role write access cured it. | What broke the overnight dump? | access denied when uploading backups
Prices are stored in cents as integers, never as floats. | How do we represent money? | rounding of amounts in the shop
All public endpoints live under /v2; /v1 is frozen and will be switched off in March. | When does the old API go away? | Which prefix should new routes get?
Use pnpm, not npm, in the monorepo: workspaces break otherwise. | What should I install dependencies with?
Feature flags come from LaunchDarkly; default every flag to off. | How are unfinished features hidden from customers?
The image service runs out of memory on TIFF files above 200 MB; we reject them at upload. | Why are huge pictures refused?
Marta owns the billing code, ask her before touching invoices. | Who is responsible for payments?
Migrations must be backwards compatible because two versions run side by side during a rollout. | What do I have to watch when altering tables?
Retries use exponential backoff with jitter, at most five attempts. | How often do we try again after a failed call?
Typing in the search box waited 300 ms because of a debounce; lowered to 80. | autocomplete felt sluggish
We picked Postgres full-text search over Elasticsearch: one system less to operate. | Why is there no separate search cluster?
The customer wants the report as PDF every Monday at 8. | What is due at the start of each week?
Tests that talk to the network are tagged slow and run only at night. | Which checks are left out of the normal pipeline?
Dates in the API are ISO 8601 in UTC; the client converts them to the reader's zone. | What time format do we send over the wire?
Docker builds on M1 failed with an exec format error until we set the platform to linux/amd64. | container does not start on Apple silicon
The user prefers short answers with code first and explanations after. | How should I phrase my reply?
Never log e-mail addresses; hash them. | What about personal data in traces?
Websocket connections dropped after one minute since nginx had proxy_read_timeout at 60 s. | live updates stop working after a while
We deploy on Tuesdays and Thursdays before noon, never on Fridays. | When are releases allowed?
The staging password rotates weekly and is in the vault under team/staging. | Where do I find credentials for the test environment?
GraphQL was dropped for REST because caching at the edge was too hard. | What made us abandon the query language for the API?
The CSV importer chokes on semicolons; pass the delimiter explicitly. | parsing spreadsheet files goes wrong
Accessibility: every button needs a label readable by screen readers. | requirements for blind people
Our colour for errors is #B00020, and for success #1B5E20. | What shade do warnings get?
Memory leak traced to event listeners that were never removed in the chart component. | the tab uses more and more RAM
Renamed the master branch to main last week. | What is the default branch called?
Load test: 1,200 requests per second on two nodes before latency climbs. | How much traffic can we take?
The mobile app targets Android 10 and later. | oldest supported phone system
Lena asked for dark mode in the dashboard, planned for the autumn release. | Which theme did someone wish for?
Python scripts are formatted with ruff, line length 100. | code style of the scripts
Rollback: kubectl rollout undo deployment/api, then tell the on-call channel. | How do I get back to the previous version quickly?
The flaky checkout test was caused by two workers sharing one database row. | purchase spec fails at random
We cap free accounts at three projects. | limits for people who do not pay
The ORM generated one query per order line; we now join them. | order overview took seconds to open
Certificates renew by themselves through cert-manager; the e-mail warnings can be ignored. | mail about expiring TLS
Kafka was overkill, so events go through a Postgres table with LISTEN/NOTIFY. | How do services tell each other about changes?
Commit messages follow the pattern type(scope): subject. | how to write the log entry for a change
The old laptop's GPU driver crashed the renderer; falling back to software drawing helped. | blank screen on ancient hardware
Backups are kept for 35 days, then deleted by a lifecycle rule. | How long can we restore from?
Tom is on parental leave until September; Aisha stands in for him. | Who replaces the colleague with the new baby?
My daughter starts school in August at the Lindenhof primary. | Which class does my kid join this summer?
I am lactose intolerant, so oat milk in coffee please. | What should be in my cappuccino?
We booked the cabin in Norway for the second week of July. | Where are we spending the holidays?
My cholesterol was high at the last check-up; the doctor wants me to run more. | What did the physician recommend?
Grandma's recipe for plum cake uses yeast dough, not shortcrust. | how does the family bake with fruit
I sold the motorbike in spring and bought an electric cargo bike. | How do I get around town now?
The landlord raises the rent by 80 euros from January. | What will housing cost more next year?
My sister Clara plays the cello in the city orchestra. | Which instrument does my sibling perform on?
I failed the driving test twice before I passed in Leeds. | How many attempts did my licence take?
The dog is scared of fireworks, so we stay at home on New Year's Eve. | Why don't we go out on the 31st of December?
I learned to swim only at thirty. | Since when can I move in deep water?
We named the boat Petrichor after the smell of rain. | What is our ship called?
My favourite author is Ursula Le Guin. | Whose novels do I like best?
I got engaged on the pier in Brighton last May. | Where did I propose?
The neighbour's boy mows our lawn for ten pounds. | Who looks after the garden?
I am saving for a trip to Patagonia. | What is my dream journey?
Doctor Okafor moved my appointment to the 19th at half past nine. | When do I have to be at the surgery?
I cannot stand coriander. | Which herb should stay out of my food?
I gave up smoking after my father's heart attack. | What made me quit cigarettes?
"""
CHINESE = """
会话数据放在Redis里，重启网站进程时用户不会掉线。 | 登录状态保存在哪里？ | 为什么重新部署后用户仍然在线？
金额一律用整数分存储，不用浮点数。 | 价格在数据库里怎么表示？
夜间导出失败是因为存储桶权限不足，给角色加上写权限后解决。 | 备份上传被拒绝怎么办？ | 昨晚的任务为什么出错？
我们用PostgreSQL自带的全文检索，没有上Elasticsearch，少维护一个系统。 | 为什么没有单独的搜索集群？
周五不发布，只在周二和周四上午上线。 | 什么时候可以部署新版本？
旧版接口三月下线，新路由都放在v2下面。 | 老的API什么时候停用？
张敏负责账单模块，改发票前先问她。 | 支付相关的代码谁管？
图表组件没有移除事件监听器，导致内存泄漏。 | 浏览器标签页占用内存越来越大
日志里不能出现邮箱地址，要先做哈希。 | 隐私数据在日志里怎么处理？
回答要简短，先给代码再解释。 | 用户喜欢怎样的回复方式？
两个线程同时改同一行数据，所以结账测试时好时坏。 | 下单用例偶尔失败的原因
免费账户最多建三个项目。 | 不付费的用户有什么限制？
备份保留三十五天。 | 最早能恢复到多久以前的数据？
提交信息用英文写，格式是类型加主题。 | commit该怎么写？
导入表格时分隔符是分号，需要手动指定。 | 解析CSV出错
女儿八月上小学。 | 我家孩子什么时候入学？
我乳糖不耐受，咖啡里请放燕麦奶。 | 给我点饮料要注意什么？
七月第二周我们订了挪威的小木屋。 | 今年暑假去哪里度假？
医生说胆固醇偏高，建议多跑步。 | 体检之后大夫让我做什么？
春天我卖掉了摩托车，买了电动自行车。 | 我现在怎么出行？
姐姐在市交响乐团拉大提琴。 | 我的姐妹会什么乐器？
狗怕烟花，所以除夕我们待在家里。 | 过年为什么不出门？
房东从一月起每月涨房租三百块。 | 明年住房开销会多多少？
我三十岁才学会游泳。 | 我什么时候开始会下水的？
奶奶做李子蛋糕用的是发面。 | 家里的点心怎么做？
最喜欢的作家是余华。 | 我爱看谁的小说？
去年五月我在海边求婚成功。 | 我是在哪里订婚的？
我受不了香菜的味道。 | 做菜时哪种调料不要放？
父亲心脏病发作以后我戒了烟。 | 我为什么不抽烟了？
预约改到十九号上午九点半。 | 看病的时间是哪天？
"""
FOREIGN = {
    "German": ["Wo werden Sitzungen gespeichert? > 0", "Wer ist für Rechnungen zuständig? > 7", "Wann dürfen wir veröffentlichen? > 19", "Wie lange werden Sicherungen aufbewahrt? > 39", "Welches Instrument spielt meine Schwester? > 48", "Wann beginnt für meine Tochter die Schule? > 41", "Warum habe ich aufgehört zu rauchen? > 59", "Speicherleck im Diagramm > 25", "Mieterhöhung > 47"],
    "French": ["Qui s'occupe de la facturation ? > 7", "Comment stocker les prix ? > 2", "quel instrument joue ma sœur > 48", "pourquoi ai-je arrêté de fumer > 59", "mot de passe de préproduction > 20", "combien de temps garde-t-on les sauvegardes ? > 39", "fuite de mémoire > 25", "augmentation du loyer > 47", "quand commence l'école de ma fille ? > 41"],
    "Spanish": ["¿Dónde están las contraseñas del entorno de pruebas? > 20", "¿Cuánto tiempo se guardan las copias de seguridad? > 39", "¿qué instrumento toca mi hermana? > 48", "¿por qué dejé de fumar? > 59", "fuga de memoria > 25", "subida del alquiler > 47", "¿cómo se llama nuestro barco? > 52", "el perro tiene miedo > 50", "¿qué autor me gusta más? > 53"],
    "Portuguese": ["Onde ficam as senhas do ambiente de testes? > 20", "Por quanto tempo guardamos os backups? > 39", "que instrumento toca minha irmã? > 48", "por que parei de fumar? > 59", "vazamento de memória > 25", "aumento do aluguel > 47", "como se chama o nosso barco? > 52", "o cachorro tem medo > 50"],
    "Japanese": ["データベースの移行 > 8", "メモリリーク > 25", "妹の楽器 > 48", "家賃の値上げ > 47", "犬は花火が怖い > 50", "娘の学校 > 41", "好きな作家 > 53", "牛乳 > 42", "パスワードはどこにありますか > 20"],
    "Chinese": ["内存泄漏 > 25", "房租上涨 > 47", "妹妹演奏什么乐器？ > 48", "为什么戒烟？ > 59", "备份保留多久？ > 39", "女儿什么时候上学？ > 41", "测试环境的密码在哪里？ > 20", "最喜欢的作家 > 53", "狗害怕烟花 > 50"],
}  # fmt: skip


def conversation(name: str, block: str) -> dict:
    items, questions = [], []
    for number, line in enumerate(block.strip().splitlines()):
        text, *asked = (part.strip() for part in line.split("|"))
        items.append({"id": str(number), "text": text, "s": 0})
        questions += [{"q": q, "gold": [str(number)], "cat": name} for q in asked]
    return {"conv": name, "names": [], "items": items, "questions": questions}


def main(folder: str) -> None:
    english, chinese = conversation("developer-en", ENGLISH), conversation("developer-zh", CHINESE)
    foreign = {"conv": "foreign", "names": [], "items": english["items"], "questions": []}
    for language, lines in FOREIGN.items():
        for line in lines:
            question, gold = line.rsplit(" > ", 1)
            foreign["questions"].append({"q": question, "gold": [gold], "cat": language})
    for name, content in [("own-en", english), ("own-zh", chinese), ("own-foreign", foreign)]:
        json.dump([content], open(f"{folder}/{name}.json", "w", encoding="utf8"), ensure_ascii=False, indent=1)


if __name__ == "__main__":
    main(sys.argv[1])
