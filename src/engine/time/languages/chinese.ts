import { COLON_CLOCK, NUMBER, ZONE } from '../time-patterns.ts';
import {
  AGO,
  AHEAD,
  day,
  FEW,
  HALF_HOUR,
  half,
  holiday,
  LAST,
  NEXT,
  NOW,
  PAST,
  part,
  quarter,
  RECENT,
  season,
  THIS,
  type TimeLanguage,
  third,
  unit,
} from '../time-words.ts';
import { HAN_CLOCK, HAN_DAY, HAN_MONTH, HAN_NUMBER, HAN_QUARTER, HAN_YEAR } from './han-patterns.ts';

const WEEKS = ['星期', '周', '週', '礼拜', '禮拜'];
const DAYS = ['一', '二', '三', '四', '五', '六', '日天'].map((names) =>
  WEEKS.flatMap((week) => [...names].map((name) => week + name)),
);

/** 上周二 is the Tuesday of last week, not the latest Tuesday. */
const WEEKDAYS_OF_A_WEEK = DAYS.flatMap((names, i) =>
  (
    [
      [LAST, ['上', '上个', '上個']],
      [THIS, ['这', '這', '本', '这个', '這個']],
      [NEXT, ['下', '下个', '下個']],
    ] as const
  ).map(
    ([which, prefixes]) =>
      [
        [which, unit('week'), { kind: 'weekday', weekday: i + 1 }],
        prefixes.flatMap((prefix) => names.map((name) => prefix + name)).join('|'),
      ] as const,
  ),
);

export const CHINESE: TimeLanguage = {
  locale: 'zh',
  spaced: false,
  words: [
    [day(0), '今天|今日'],
    [day(-1), '昨天|昨日'],
    [day(-2), '前天|前日'],
    [day(1), '明天|明日'],
    [day(2), '后天|後天'],
    [[day(0), part('morning')], '今早|今晨'],
    [[day(0), part('lateDay')], '今晚|今夜'],
    [[day(-1), part('lateDay')], '昨晚|昨夜'],
    [NOW, '现在|現在'],
    [[{ kind: 'number', value: 1 }, unit('hour'), AGO], '刚才|剛才|刚刚|剛剛'],
    ...WEEKDAYS_OF_A_WEEK,
    [RECENT, '最近|近来|近期|近來'],
    [LAST, '上|上个|上個|上一|上一个|上一個'],
    [THIS, '这|這|这个|這個|本|当前|當前'],
    [NEXT, '下|下个|下個|下一|下一个|下一個'],
    [PAST, '过去|過去|近|过去的|過去的'],
    [[LAST, unit('year')], '去年'],
    [[THIS, unit('year')], '今年'],
    [[NEXT, unit('year')], '明年'],
    [[{ kind: 'number', value: 2 }, unit('year'), AGO], '前年'],
    [AGO, '前|之前|以前'],
    [AHEAD, '后|後|之后|之後|以后|以後'],
    [unit('second'), '秒|秒钟|秒鐘'],
    [unit('minute'), '分钟|分鐘|分'],
    [HALF_HOUR, '半小时|半小時|半个小时|半個小時'],
    [unit('hour'), '小时|小時|个小时|個小時|钟头|鐘頭|个钟头'],
    [unit('day'), '天|日'],
    [unit('week'), '周|週|星期|礼拜|禮拜|个星期|個星期|个礼拜|個禮拜'],
    [unit('weekend'), '周末|週末'],
    [unit('month'), '个月|個月|月'],
    [unit('quarter'), '季度|个季度|個季度'],
    [unit('year'), '年'],
    [FEW, '几|幾|数|數'],
    [part('morning'), '早上|早晨|上午|清晨'],
    [part('noon'), '中午|正午'],
    [part('afternoon'), '下午'],
    [part('evening'), '傍晚'],
    [part('lateDay'), '晚上|夜里|夜裡|夜间|夜晚'],
    [part('midnight'), '午夜|半夜'],
    [season('spring'), '春天|春季'],
    [season('summer'), '夏天|夏季'],
    [season('autumn'), '秋天|秋季'],
    [season('winter'), '冬天|冬季'],
    [holiday('christmas'), '圣诞节|圣诞|聖誕節|聖誕'],
    [holiday('newYear'), '元旦|新年'],
    [half(1), '上半年'],
    [half(2), '下半年'],
    [quarter(1), '第一季度|第一季'],
    [quarter(2), '第二季度|第二季'],
    [quarter(3), '第三季度|第三季'],
    [quarter(4), '第四季度|第四季'],
    [third(0), '初|上旬'],
    [third(1), '中旬'],
    [third(2), '底|末|下旬'],
  ],
  numbers: [],
  weekdays: DAYS.map((names) => names.join('|')),
  months: [],
  fillers: '的|在|里|裡|内|內|期间|期間|左右',
  patterns: [HAN_CLOCK, COLON_CLOCK, HAN_YEAR, HAN_MONTH, HAN_DAY, HAN_QUARTER, HAN_NUMBER, NUMBER, ZONE],
  connectors: [
    ['between', /^(?:从|從|自|在)?(?<x>.+?)(?:到|至|和|与|與)(?<y>.+?)(?:之间|之間|为止|為止|期间)?$/],
    ['since', /^(?:从|從|自|自从|自從)?(?<x>.+?)(?:以来|以來|以后|以後|开始|開始|起)$/],
    ['before', /^(?:在)?(?<x>.+?)(?:之前|以前|前)$/],
    ['after', /^(?:在)?(?<x>.+?)(?:之后|之後|后|後)$/],
    ['until', /^(?:直到|到|截至|至)(?<x>.+?)(?:为止|為止)?$/],
  ],
};
