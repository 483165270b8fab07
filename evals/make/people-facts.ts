// What people tell a friend or an assistant about their lives, how one asks for it later in other words, and what an assistant would say to it at length.

export interface Topic {
  /** Statements in the first person; {v} is one of the values. */
  told: readonly string[];
  values: readonly string[];
  /** {who} is "I"/"my" or a name with 's; the question never holds the value. */
  asked: readonly string[];
  /** General advice on the matter, full of its words, that answers no question about the person. */
  advice: readonly string[];
}

export const TOPICS: readonly Topic[] = [
  {
    told: ['We finally brought a puppy home on Saturday, a {v}!', 'Guess what, I adopted a {v} last weekend.'],
    values: ['beagle called Biscuit', 'grey whippet named Ash', 'rescue terrier, Pickle'],
    asked: ['What breed is {who} dog?', 'Which animal lives at {who} place now?'],
    advice: [
      'Dogs need a routine from the first day: feeding, walks and sleep at the same hours.',
      'Book a vet visit in the first week and ask about vaccinations for a young dog.',
      'A crate helps a puppy feel safe; never use it as punishment.',
      'Reward calm behaviour, and keep training sessions with the dog under ten minutes.',
    ],
  },
  {
    told: ['I start at {v} in two weeks.', 'The offer came through: from next month I work for {v}.'],
    values: ['the city archive', 'a solar start-up in Leipzig', 'the children’s hospital'],
    asked: ['Who is {who} new employer?', 'Where will {who} career continue?'],
    advice: [
      'A new job is a chance to set habits: write down names and tasks in the first days.',
      'Ask your manager what a good first month looks like.',
      'Negotiate the start date before you sign the contract for the job.',
      'Keep a list of achievements at work; it helps at the next salary talk.',
    ],
  },
  {
    told: ['The doctor says no {v} for me any more.', 'Turns out I cannot stand {v}, my skin goes red every time.'],
    values: ['peanuts', 'shellfish', 'strawberries'],
    asked: ['What food should be kept away from {who} plate?', 'What is {who} allergy?'],
    advice: [
      'Read food labels carefully; allergens must be printed in bold.',
      'Carry an antihistamine when you eat out with a food allergy.',
      'Tell the waiter about your allergy before you order.',
      'A food diary helps a doctor to find what triggers a reaction.',
    ],
  },
  {
    told: ['We booked {v} for the summer break.', 'This July it is {v}, flights are paid.'],
    values: ['two weeks in the Azores', 'a hut in Lapland', 'a house near Split'],
    asked: ['Where is {who} holiday going to be?', 'What travel plans exist for {who} vacation?'],
    advice: [
      'For a summer trip, compare prices eight weeks ahead and travel midweek.',
      'Pack light layers; evenings by the sea are cool even in summer.',
      'Travel insurance should cover cancelled flights and lost luggage.',
      'Write the address of your stay on paper in case your phone dies on holiday.',
    ],
  },
  {
    told: ['I signed up for {v} on Wednesdays.', 'Wednesday evenings are taken now: {v}.'],
    values: ['pottery', 'a boxing class', 'the community choir'],
    asked: ['What does {who} midweek hobby look like?', 'Which course fills {who} free evening?'],
    advice: [
      'A hobby with a fixed evening in the week is easier to keep.',
      'Start with borrowed equipment before you buy your own for a new hobby.',
      'Classes are a friendly way to meet people with the same interest.',
      'Set a small goal for the first three months of a course.',
    ],
  },
  {
    told: [
      'My sister had her baby this morning, they named him {v}.',
      'I am an uncle since today! Little {v} is healthy.',
    ],
    values: ['Emil', 'Jonah', 'Mateo'],
    asked: ['What is {who} nephew called?', 'Which name did the newborn in {who} family get?'],
    advice: [
      'New parents are grateful for a cooked meal more than for clothes.',
      'Newborn babies sleep up to seventeen hours a day, in short pieces.',
      'Visit the family briefly and wash your hands before you hold the baby.',
      'Choosing a name for a child takes many parents the whole pregnancy.',
    ],
  },
  {
    told: [
      'The car is gone, I go everywhere by {v} these days.',
      'Sold the old Volvo; now it is {v} for me, rain or shine.',
    ],
    values: ['cargo bike', 'electric scooter', 'tram'],
    asked: ['How does {who} commute work without an automobile?', 'What means of transport replaced {who} vehicle?'],
    advice: [
      'Giving up a car saves several thousand a year in insurance, fuel and repairs.',
      'Check the tyres and brakes before the winter season.',
      'Plan routes with few hills until you are fit.',
      'Public transport passes are cheaper when bought for a year.',
    ],
  },
  {
    told: [
      'I failed the {v} exam by two points, second try in spring.',
      'Missed the {v} test narrowly; I can repeat it in April.',
    ],
    values: ['Japanese N3', 'sailing licence', 'tax adviser'],
    asked: ['Which test must {who} repeat?', 'What did {who} not pass?'],
    advice: [
      'After a failed exam, look at the points by section before you plan.',
      'Spread revision over weeks; cramming fades quickly.',
      'Practise with old papers under real exam time.',
      'Sleep well in the two nights before a test.',
    ],
  },
  {
    told: [
      'The flat above us flooded our kitchen, so we stay at {v} for now.',
      'Water damage everywhere. Until it is dry we live at {v}.',
    ],
    values: ['my aunt’s', 'a hotel by the station', 'Karim’s place'],
    asked: [
      'Where does {who} household sleep while repairs go on?',
      'Who took {who} family in after the accident at home?',
    ],
    advice: [
      'Photograph water damage before you move anything and call the insurer.',
      'Drying machines must run for two to three weeks in a flooded room.',
      'Ask the landlord for a lower rent while a kitchen cannot be used.',
      'Mould grows within two days on wet plaster.',
    ],
  },
  {
    told: ['I have been reading {v}, can’t put it down.', 'Halfway through {v} and loving it.'],
    values: ['Middlemarch', 'The Left Hand of Darkness', 'a biography of Shackleton'],
    asked: ['What book is on {who} bedside table?', 'Which novel or life story keeps {who} attention?'],
    advice: [
      'Reading before sleep works better on paper than on a screen.',
      'A book club gives you a reason to finish long novels.',
      'Libraries lend e-books too, without fees.',
      'Keep notes on characters when a story has many of them.',
    ],
  },
  {
    told: ['Grandma turns {v} in March and wants a boat trip.', 'We are planning the boat party for grandma’s {v}.'],
    values: ['eighty', 'ninety', 'seventy-five'],
    asked: ['How old will {who} grandmother be?', 'Which birthday is celebrated on the water in {who} family?'],
    advice: [
      'For a party with elderly guests, choose a place without stairs.',
      'Boat trips can be booked for small groups with a meal on board.',
      'Ask guests to bring an old photograph each for the celebration.',
      'Make a seating plan, so that nobody sits alone.',
    ],
  },
  {
    told: [
      'My back is killing me; the physio gave me {v} to do daily.',
      'Since the pain began I do {v} every morning, physio’s orders.',
    ],
    values: ['planks', 'a cat-cow stretch', 'swimming'],
    asked: ['What exercise was prescribed for {who} spine?', 'How is {who} pain being treated?'],
    advice: [
      'Back pain often comes from sitting; stand up every half hour.',
      'Strengthen the trunk before you lift anything heavy.',
      'See a doctor when pain runs down the leg.',
      'A firm mattress is not better for everybody’s back.',
    ],
  },
  {
    told: [
      'Paid off the last of the {v} loan today, what a feeling.',
      'No more debt: the {v} credit is history since this morning.',
    ],
    values: ['student', 'kitchen', 'motorbike'],
    asked: ['Which borrowed money has been returned in full by {who} hand?', 'What was {who} debt for?'],
    advice: [
      'After a loan is paid, move the same sum to savings each month.',
      'Ask the bank for a letter that confirms the credit is closed.',
      'An emergency fund should cover three months of costs.',
      'Compare the interest of loans by the yearly rate, fees included.',
    ],
  },
  {
    told: ['I planted {v} on the balcony, first sprouts today.', 'There are tiny {v} coming up on our balcony!'],
    values: ['chillies', 'runner beans', 'sunflowers'],
    asked: ['What grows outside {who} window?', 'What did {who} gardening attempt produce?'],
    advice: [
      'Balcony plants dry out fast; water them in the morning.',
      'Use pots with holes and a layer of gravel at the bottom.',
      'Most seedlings want six hours of sun.',
      'Feed the plants every two weeks from May on.',
    ],
  },
];

export const SMALL_TALK: readonly string[] = [
  'Haha, that is so true.',
  'How was your day otherwise?',
  'I hardly slept, the neighbours had a party.',
  'Sounds good to me!',
  'It has been raining here for three days now.',
  'Did you see the match yesterday?',
  'I am so ready for the weekend.',
  'Work was long, nothing special.',
  'Let’s talk more tomorrow, I am tired.',
  'The coffee at the new place is awful.',
  'That made me laugh out loud.',
  'I should call my parents more often.',
  'Good morning! How are you doing?',
  'My phone battery died in the middle of the call.',
  'Traffic was terrible again.',
  'You always know what to say.',
  'I had soup for lunch and regret nothing.',
  'Time flies, it is nearly autumn.',
  'Let me know when you are around.',
  'I watched that series you mentioned.',
];

export const REACTIONS: readonly string[] = [
  'Oh wow, really?',
  'That is great news!',
  'Tell me more about it!',
  'I am so happy for you.',
  'Oh no, how are you feeling about it?',
  'Amazing! Since when?',
  'Good for you!',
  'Yes, I can imagine.',
];

export const CHINESE_TOPICS: readonly {
  told: readonly string[];
  values: readonly string[];
  asked: readonly string[];
  advice: readonly string[];
}[] = [
  {
    told: ['周末我们家领养了一只{v}。', '告诉你，我上周末养了{v}！'],
    values: ['橘猫叫豆豆', '小柯基', '白色的兔子'],
    asked: ['{who}家里现在有什么宠物？', '{who}新养的动物是什么？'],
    advice: ['养宠物要定时喂食，也要按时打疫苗。', '刚到家的小动物需要安静的环境。'],
  },
  {
    told: ['下个月我就去{v}上班了。', '面试通过了，以后在{v}工作。'],
    values: ['市博物馆', '一家芯片公司', '儿童医院'],
    asked: ['{who}的新单位是哪里？', '{who}换到什么地方任职？'],
    advice: ['换工作之前要看清合同里的试用期。', '入职第一周多记同事的名字。'],
  },
  {
    told: ['医生让我以后别再吃{v}了。', '我一碰{v}皮肤就发红。'],
    values: ['花生', '虾', '芒果'],
    asked: ['{who}对什么过敏？', '请{who}吃饭要避开哪种食物？'],
    advice: ['过敏体质的人外出就餐要先告诉服务员。', '食品包装上会标明过敏原。'],
  },
  {
    told: ['暑假机票都买好了，去{v}。', '今年夏天我们打算到{v}住两个星期。'],
    values: ['大理', '青岛', '新疆'],
    asked: ['{who}假期去哪里旅行？', '{who}夏天的出游计划是什么？'],
    advice: ['旅行前要提前订好酒店。', '夏天出门记得带防晒霜。'],
  },
  {
    told: ['每周三晚上我去学{v}。', '我报了个班，周三练{v}。'],
    values: ['书法', '拳击', '吉他'],
    asked: ['{who}平时有什么爱好？', '{who}周中晚上做什么？'],
    advice: ['坚持一个爱好需要固定的时间。', '初学者不必买太贵的器材。'],
  },
  {
    told: ['姐姐今天早上生了，宝宝叫{v}。', '我当舅舅了！小{v}很健康。'],
    values: ['乐乐', '安安', '晨晨'],
    asked: ['{who}的外甥叫什么名字？', '{who}家新出生的孩子怎么称呼？'],
    advice: ['新生儿每天要睡十六个小时左右。', '探望产妇时间不要太长。'],
  },
  {
    told: ['车卖掉了，现在出门都靠{v}。', '没有车以后我天天骑{v}。'],
    values: ['电动车', '折叠自行车', '共享单车'],
    asked: ['{who}现在怎么上下班？', '{who}用什么代替了汽车？'],
    advice: ['养车的费用包括保险、油费和停车费。', '骑车要戴头盔。'],
  },
  {
    told: ['{v}考试差两分没过，春天再考。', '我的{v}又没考过，四月补考。'],
    values: ['日语二级', '驾照科目三', '注册会计师'],
    asked: ['{who}哪一科需要重考？', '{who}没有通过什么测验？'],
    advice: ['复习要分散到每天。', '考前两天要睡好。'],
  },
  {
    told: ['楼上漏水，我们暂时住在{v}。', '厨房被淹了，这几天在{v}落脚。'],
    values: ['姑姑家', '车站旁的旅馆', '小李那儿'],
    asked: ['{who}家装修期间睡在哪里？', '谁收留了{who}一家？'],
    advice: ['漏水要先拍照再联系保险公司。', '墙面潮湿容易发霉。'],
  },
  {
    told: ['最近在看{v}，停不下来。', '{v}我读了一半，特别喜欢。'],
    values: ['《三体》', '《百年孤独》', '《边城》'],
    asked: ['{who}床头放着哪本书？', '{who}迷上了什么小说？'],
    advice: ['睡前读纸质书更容易入睡。', '图书馆也能借电子书。'],
  },
  {
    told: ['奶奶三月满{v}，想坐船游湖。', '给奶奶过{v}大寿，订了游船。'],
    values: ['八十', '九十', '七十五'],
    asked: ['{who}的祖母今年多大年纪？', '{who}家在水上庆祝的是多少岁生日？'],
    advice: ['给老人办寿宴要选没有楼梯的地方。', '游船可以包场。'],
  },
  {
    told: ['腰疼得厉害，理疗师让我每天{v}。', '从腰疼开始我天天早上{v}。'],
    values: ['做平板支撑', '游泳', '拉伸'],
    asked: ['{who}怎么治疗腰部的毛病？', '医生给{who}安排了什么锻炼？'],
    advice: ['久坐的人要每半小时站起来活动。', '搬重物之前要先热身。'],
  },
];

export const CHINESE_SMALL_TALK: readonly string[] = [
  '哈哈，说得对。',
  '今天怎么样？',
  '昨晚没睡好，邻居太吵了。',
  '周末快到了，真好。',
  '这边连着下了三天雨。',
  '明天再聊，我困了。',
  '路上又堵车了。',
  '早上好！',
  '手机没电了。',
  '你最近忙不忙？',
  '中午喝了汤。',
  '我该多给爸妈打电话。',
];
