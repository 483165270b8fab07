"""Pairs made by rule: developer memories, personal facts and Chinese ones. Labelled `synthetic` in the data; nothing here is copied from a data set."""

import random

TOOLS = {
    "database": ["PostgreSQL", "SQLite", "MySQL", "MongoDB", "DynamoDB", "CockroachDB", "Redis", "ClickHouse", "DuckDB"],
    "message queue": ["Kafka", "RabbitMQ", "NATS", "SQS", "Redis Streams", "Pub/Sub"],
    "web framework": ["Express", "Fastify", "Hono", "Django", "FastAPI", "Flask", "Rails", "Spring Boot", "Gin", "Axum"],
    "front-end library": ["React", "Vue", "Svelte", "Solid", "Angular", "Preact", "htmx"],
    "test runner": ["Vitest", "Jest", "pytest", "JUnit", "the Node test runner", "Playwright", "Cypress"],
    "package manager": ["npm", "pnpm", "yarn", "bun", "uv", "poetry", "pip", "cargo"],
    "build tool": ["esbuild", "webpack", "Vite", "Rollup", "Bazel", "Gradle", "Make", "Turborepo"],
    "linter": ["ESLint", "Biome", "ruff", "golangci-lint", "clippy", "pylint"],
    "cloud provider": ["AWS", "Google Cloud", "Azure", "Hetzner", "Fly.io", "Cloudflare"],
    "CI system": ["GitHub Actions", "GitLab CI", "Jenkins", "CircleCI", "Buildkite"],
    "logging library": ["pino", "winston", "zap", "structlog", "log4j", "tracing"],
    "language": ["TypeScript", "Go", "Rust", "Python", "Kotlin", "Java", "C#", "Elixir"],
    "auth method": ["OAuth", "JWT", "session cookies", "passkeys", "API keys", "SAML"],
    "deployment target": ["Kubernetes", "Docker Compose", "a single VM", "Lambda", "ECS", "bare metal"],
}  # fmt: skip
REASONS = [
    "it starts faster", "the licence is permissive", "the team already knows it", "it needs no server", "it handles concurrent writers", "the bundle is much smaller",
    "it was the only one that passed the load test", "the old one leaked memory", "its types are better", "it works offline", "the pricing is predictable",
    "we could not compile native modules on Windows", "it has first-class migrations", "the vendor dropped support", "it keeps latency under ten milliseconds",
    "debugging production issues was too hard before", "compliance requires data to stay in the EU", "it lets us roll back in seconds", "it avoids lock-in",
]  # fmt: skip
REASON_ASK = ["Why do we use {a}?", "What made us pick {a}?", "Reason for choosing {a} over {b}", "Why not {b}?", "Which {c} did we decide on?", "What {c} does the project use?", "what was the decision about the {c}", "why did we move away from {b}"]  # fmt: skip
REASON_SAY = ["We chose {a} over {b} because {r}.", "Decision: {a} as our {c}, not {b}; {r}.", "Switched the {c} from {b} to {a} since {r}.", "After the spike we settled on {a} for the {c}. {b} lost: {r}.", "{a} it is. The {c} question is closed: {r}."]  # fmt: skip
ERRORS = [
    ("connection refused on port 5432", "the database container was not running; start it with compose up", "cannot reach Postgres from the app"),
    ("ECONNRESET while uploading", "the proxy cut requests after 60 seconds; raised its timeout", "uploads die halfway"),
    ("out of memory in the build", "gave node a larger heap with max-old-space-size", "bundling gets killed on CI"),
    ("database is locked", "switched SQLite to WAL mode and BEGIN IMMEDIATE", "writes fail when two processes share the file"),
    ("CORS error in the browser", "added the front end's origin to the allow list", "fetch blocked by access-control-allow-origin"),
    ("module not found after install", "the lock file was stale; removed node_modules and reinstalled", "import cannot be resolved"),
    ("certificate has expired", "renewed it with certbot and added a cron job", "TLS handshake fails on staging"),
    ("segmentation fault in the image resizer", "upgraded libvips and pinned the version", "thumbnails crash the worker"),
    ("flaky login test", "waited for the redirect instead of sleeping", "end-to-end test fails at random"),
    ("timezone off by one hour", "stored timestamps in UTC and converted on display", "wrong times after the clock change"),
    ("N+1 queries on the orders page", "loaded the relations in one query", "listing orders is slow"),
    ("deadlock detected", "took the row locks in a fixed order", "transactions wait on each other forever"),
    ("permission denied when mounting the volume", "changed the owner of the folder to the container's user", "container cannot write its data directory"),
    ("unicode decode error reading the CSV", "opened the file as latin-1", "import breaks on umlauts"),
    ("rate limit exceeded from the payments API", "added exponential backoff with jitter", "calls to the payment provider get 429"),
    ("null pointer in the checkout", "guarded against carts without an address", "buying as a guest throws an exception"),
    ("stale cache after deploy", "put the commit hash into the file names", "users still see the old front end"),
    ("infinite re-render", "memoised the object passed to the effect", "component keeps updating until the tab freezes"),
    ("git push rejected as non-fast-forward", "rebased on main first", "cannot push my branch"),
    ("disk full on the CI runner", "pruned docker images before each job", "pipeline stops with no space left on device"),
    ("webhook signature mismatch", "verified the raw body instead of the parsed JSON", "Stripe events are refused"),
    ("jwt expired too early", "the server clock drifted; enabled NTP", "people get logged out after a few minutes"),
    ("slow start of the CLI", "loaded the parser lazily", "the command takes two seconds before it prints anything"),
    ("race condition in the cache", "guarded the map with a mutex", "two threads overwrite each other's entry"),
]  # fmt: skip
ERROR_ASK = ["How did we fix {e}?", "{s}", "what to do about {e}", "{s}, has this happened before?", "solution for {e}", "I get {e} again", "Have we seen the problem where {s}?"]
ERROR_SAY = ["{e}: {f}.", "Fixed: {e}. Cause and cure: {f}.", "When you see {e}: {f}.", "Today's bug was {e}; {f}.", "Root cause of {e} found. We {f}."]
HABITS = [
    ("use tabs, not spaces", ["format this file", "indent the new module", "set up the editor config"]),
    ("write tests before the code", ["add a feature", "implement the parser"]),
    ("keep answers short, no long explanations", ["explain how this works", "summarise the change"]),
    ("never commit straight to main", ["push my changes", "merge the fix"]),
    ("use conventional commits", ["write the commit message", "commit this"]),
    ("call me by my first name", ["greet me", "write a welcome mail to me"]),
    ("always use metric units", ["how far is it", "convert the recipe"]),
    ("prefer functions over classes", ["create the service layer", "refactor this class"]),
    ("no emojis in documents", ["write the readme", "draft the release notes"]),
    ("use British spelling", ["proofread the article", "write the landing page"]),
    ("ask before running anything destructive", ["clean up the database", "delete the old branches"]),
    ("use snake_case for database columns", ["add a column", "create the migration"]),
    ("answer in German", ["reply to my question", "translate the summary"]),
    ("pin every dependency", ["install a library", "add a package"]),
    ("dark theme everywhere", ["design the settings page", "choose the colours"]),
    ("error messages must say what to do next", ["add validation", "handle the failure"]),
    ("put SQL in its own files", ["write the query", "add a report"]),
    ("vegetarian food only", ["suggest a restaurant", "plan dinner", "book lunch for the team"]),
    ("aisle seats on flights", ["book the flight to the conference", "reserve travel"]),
    ("meetings only after ten in the morning", ["schedule a call", "find a slot for the review"]),
]  # fmt: skip
HABIT_SAY = ["I prefer that you {h}.", "Please {h}.", "Convention: {h}.", "Remember: {h}.", "From now on, {h}.", "The user wants: {h}.", "Preference noted: {h}."]
PEOPLE = ["my sister", "my brother", "my wife", "my husband", "my mother", "my father", "my daughter", "my son", "my best friend", "my boss", "my neighbour", "my cousin", "my grandmother", "my colleague"]
FACTS = [
    ("{w} was born on {d}", ["When is {w}'s birthday?", "How old is {w}?", "date of birth of {w}"]),
    ("{w} lives in {c}", ["Where does {w} live?", "Which city is {w} in?", "{w}'s home town"]),
    ("{w} works as a {j}", ["What does {w} do for a living?", "{w}'s job", "What is the profession of {w}?"]),
    ("{w} is allergic to {f}", ["What can't {w} eat?", "Does {w} have any allergies?", "cooking for {w}, anything to avoid?"]),
    ("{w} loves {h}", ["What should I give {w} as a present?", "{w}'s hobbies", "What does {w} like to do?"]),
    ("{w} moved from {c} to {c2}", ["Where did {w} live before?", "Has {w} moved?", "new address of {w}"]),
    ("I met {w} at {p}", ["How do I know {w}?", "Where did we get acquainted with {w}?", "when was the first time I saw {w}"]),
    ("{w} started learning {h} in {d}", ["Since when does {w} do {h}?", "What new thing did {w} take up?"]),
    ("I went to {c} with {w} last {t}", ["Who came along to {c}?", "Where did I travel last {t}?", "trip with {w}"]),
    ("{w} got a {a} called {n}", ["What is the name of {w}'s pet?", "Does {w} have an animal?", "Who is {n}?"]),
    ("{w} broke a leg while {h}", ["What accident did {w} have?", "Was {w} injured?", "why was {w} in hospital"]),
    ("{w} is getting married in {t}", ["When is {w}'s wedding?", "any big event coming up for {w}?"]),
    ("{w} read a book about {h} and recommended it", ["What did {w} suggest reading?", "book recommendation from {w}"]),
    ("I owe {w} {m} dollars", ["Who do I have debts with?", "How much money must I pay back to {w}?"]),
]  # fmt: skip
SLOTS = dict(
    c="Berlin Lisbon Chicago Osaka Toronto Nairobi Melbourne Lyon Boston Seville Austin Oslo Prague Denver".split(),
    c2="Madrid Vienna Seattle Kyoto Dublin Montreal Zurich Porto Atlanta Warsaw".split(),
    d=["3 May 1987", "June 2019", "12 October", "early 2021", "1994", "March", "last August", "the fourteenth of July"],
    j="nurse teacher carpenter lawyer designer plumber dentist pilot chef accountant programmer journalist vet firefighter".split(),
    f="peanuts shellfish gluten milk eggs strawberries soy walnuts".split(),
    h="pottery hiking chess surfing photography painting gardening climbing yoga woodworking birdwatching piano baking sailing knitting salsa".split(),
    p=["a conference", "university", "a wedding", "the gym", "a book club", "a charity run", "work", "a concert"],
    t="summer winter spring autumn weekend month year".split(),
    a="dog cat parrot rabbit horse hamster tortoise".split(),
    n="Biscuit Luna Max Pepper Olive Shadow Ginger Milo".split(),
    m=["20", "fifty", "300", "1,200", "75"],
)
ZH_FACTS = [
    ("{w}住在{c}", ["{w}住在哪里？", "{w}在哪个城市？"]),
    ("{w}的生日是{d}", ["{w}什么时候过生日？", "{w}是哪天出生的？"]),
    ("{w}是一名{j}", ["{w}做什么工作？", "{w}的职业是什么？"]),
    ("{w}对{f}过敏", ["{w}不能吃什么？", "做饭给{w}要注意什么？", "{w}有什么过敏吗？"]),
    ("{w}喜欢{h}", ["{w}有什么爱好？", "送{w}什么礼物好？", "{w}平时喜欢做什么？"]),
    ("上个月我和{w}去了{c}旅游", ["我最近去了哪里玩？", "谁和我一起去了{c}？"]),
    ("{w}养了一只{a}", ["{w}有宠物吗？", "{w}家的动物是什么？"]),
    ("{w}最近开始学{h}", ["{w}在学什么新东西？", "{w}从什么时候开始{h}？"]),
    ("我们决定用{x}而不用{y}，因为{r}", ["为什么选择{x}？", "为什么不用{y}？", "当时技术选型的理由是什么？"]),
    ("{e}，解决办法是{g}", ["{e}怎么解决？", "遇到{e}该怎么办？", "之前那个{e}的问题怎么修的？"]),
    ("请记住：{k}", ["我有什么偏好？", "写代码时有什么约定？", "关于{k}的要求是什么？"]),
]  # fmt: skip
ZH_SLOTS = dict(
    w="我妹妹 我哥哥 我妈妈 我爸爸 我女儿 我儿子 我同事 我老板 我最好的朋友 我邻居 小王 李老师".split(),
    c="北京 上海 广州 成都 杭州 西安 厦门 东京 巴黎 昆明".split(),
    d="三月五日 十月一日 一九九零年 去年八月 六月中旬".split(),
    j="医生 老师 律师 设计师 程序员 护士 记者 厨师 会计".split(),
    f="花生 海鲜 牛奶 鸡蛋 芒果 麸质".split(),
    h="爬山 画画 摄影 下棋 弹钢琴 做陶艺 跑步 瑜伽 烘焙 游泳".split(),
    a="猫 狗 兔子 鹦鹉 乌龟".split(),
    x="PostgreSQL Redis Kafka TypeScript React Go Kubernetes SQLite".split(),
    y="MongoDB RabbitMQ Java Vue MySQL Python 单体服务器".split(),
    r="启动更快 团队更熟悉 许可证更宽松 性能更好 部署更简单 内存占用更小 支持离线".split(),
    e="数据库连接被拒绝 内存溢出 跨域请求失败 证书过期 数据库被锁 时区差一小时 构建失败 接口超时 缓存没有更新 页面白屏".split(),
    g="重启容器 加大堆内存 把域名加入白名单 更新证书 打开WAL模式 统一用UTC存储 清理依赖后重装 增加重试 在文件名里加哈希 修复空指针".split(),
    k="回答要简短 用中文回复 代码里不写注释 提交信息用英文 变量名用驼峰 不要直接提交到主分支 测试先行 只用空格缩进".split(),
)


def fill(text: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        text = text.replace("{" + key + "}", value)
    return text


def english(count: int) -> list[tuple[str, str]]:
    rng = random.Random("synthetic-en")
    out = []
    while len(out) < count:
        kind = rng.random()
        if kind < 0.3:
            category = rng.choice(list(TOOLS))
            a, b = rng.sample(TOOLS[category], 2)
            values = dict(a=a, b=b, c=category, r=rng.choice(REASONS))
            out.append((fill(rng.choice(REASON_ASK), values), fill(rng.choice(REASON_SAY), values)))
        elif kind < 0.45:
            error, cure, symptom = rng.choice(ERRORS)
            values = dict(e=error, f=cure, s=symptom)
            out.append((fill(rng.choice(ERROR_ASK), values), fill(rng.choice(ERROR_SAY), values)))
        elif kind < 0.55:
            habit, requests = rng.choice(HABITS)
            out.append((rng.choice(requests), fill(rng.choice(HABIT_SAY), dict(h=habit))))
        else:
            fact, asks = rng.choice(FACTS)
            values = {k: rng.choice(v) for k, v in SLOTS.items()} | dict(w=rng.choice(PEOPLE))
            out.append((fill(rng.choice(asks), values), fill(fact, values) + "."))
    return out


def chinese(count: int) -> list[tuple[str, str]]:
    rng = random.Random("synthetic-zh")
    out = []
    while len(out) < count:
        fact, asks = rng.choice(ZH_FACTS)
        values = {k: rng.choice(v) for k, v in ZH_SLOTS.items()}
        out.append((fill(rng.choice(asks), values), fill(fact, values) + "。"))
    return out
