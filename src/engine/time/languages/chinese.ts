import { MEANINGS, type TimeLanguage, type TimePattern } from '../time-words.ts';
import { HAN_PATTERNS } from './han-patterns.ts';

const WEEKS = ['星期', '周', '週', '礼拜', '禮拜'];
const DAYS = ['一', '二', '三', '四', '五', '六', '日天'];

/** 上周二 is the Tuesday of last week, not the latest Tuesday. */
const WEEKDAY_OF_A_WEEK: TimePattern = {
  form: new RegExp(
    `(?:(?<last>上[个個]?)|(?<next>下[个個]?)|[这這][个個]?|本)(?:${WEEKS.join('|')})(?<day>[一二三四五六日天])`,
    'y',
  ),
  read: ({ groups = {} }) => [
    groups.last !== undefined ? MEANINGS.last : groups.next !== undefined ? MEANINGS.next : MEANINGS.this,
    MEANINGS.week,
    { kind: 'weekday', weekday: DAYS.findIndex((names) => names.includes(groups.day!)) + 1 },
  ],
};

export const CHINESE: TimeLanguage = {
  spaced: false,
  words: {
    'today morning': '今早|今晨',
    'today lateDay': '今晚|今夜',
    'yesterday lateDay': '昨晚|昨夜',
    now: '现在|現在',
    'one hour ago': '刚才|剛才|刚刚|剛剛',
    recent: '最近|近来|近期|近來',
    last: '上|上个|上個|上一|上一个|上一個',
    this: '这|這|这个|這個|本|当前|當前',
    next: '下|下个|下個|下一|下一个|下一個',
    past: '过去|過去|近|过去的|過去的',
    'last year': '去年',
    'this year': '今年',
    'next year': '明年',
    'two year ago': '前年',
    ago: '前|之前|以前',
    ahead: '后|後|之后|之後|以后|以後',
    second: '秒|秒钟|秒鐘',
    minute: '分钟|分鐘|分',
    'thirty minute': '半小时|半小時|半个小时|半個小時',
    hour: '小时|小時|个小时|個小時|钟头|鐘頭|个钟头',
    day: '天|日',
    week: '周|週|星期|礼拜|禮拜|个星期|個星期|个礼拜|個禮拜',
    weekend: '周末|週末',
    month: '个月|個月|月',
    quarter: '季度|个季度|個季度',
    year: '年',
    few: '几|幾|数|數',
    morning: '早上|早晨|上午|清晨',
    noon: '中午|正午',
    afternoon: '下午',
    evening: '傍晚',
    lateDay: '晚上|夜里|夜裡|夜间|夜晚',
    midnight: '午夜|半夜',
    christmas: '圣诞节|圣诞|聖誕節|聖誕',
    newYear: '元旦|新年',
  },
  weekdays: DAYS.map((names) => WEEKS.flatMap((week) => [...names].map((name) => week + name)).join('|')).join(', '),
  days: '前天|前日, 昨天|昨日, 今天|今日, 明天|明日, 后天|後天',
  seasons: '春天|春季, 夏天|夏季, 秋天|秋季, 冬天|冬季',
  halves: '上半年, 下半年',
  quarters: '第一季度|第一季, 第二季度|第二季, 第三季度|第三季, 第四季度|第四季',
  thirds: '初|上旬, 中旬, 底|末|下旬',
  fillers: '的|在|里|裡|内|內|期间|期間|左右',
  patterns: [WEEKDAY_OF_A_WEEK, ...HAN_PATTERNS],
  connectors: [
    ['between', /^(?:从|從|自|在)?(?<x>.+?)(?:到|至|和|与|與)(?<y>.+?)(?:之间|之間|为止|為止|期间)?$/],
    ['since', /^(?:从|從|自|自从|自從)?(?<x>.+?)(?:以来|以來|以后|以後|开始|開始|起)$/],
    ['before', /^(?:在)?(?<x>.+?)(?:之前|以前|前)$/],
    ['after', /^(?:在)?(?<x>.+?)(?:之后|之後|后|後)$/],
    ['until', /^(?:直到|到|截至|至)(?<x>.+?)(?:为止|為止)?$/],
  ],
};
