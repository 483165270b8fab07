import { type Grammar, pairs, verbs, words } from './grammar.ts';

export const ENGLISH: Grammar = {
  language: 'en',
  verbs: verbs(
    `is=be are=be equals=be has=have have=have use=use uses=use using=use runs=run run=run listens=listen listen=listen lives=live live=live costs=cost cost=cost
     prefers=prefer prefer=prefer likes=like like=like loves=like hates=hate wants=want want=want needs=need need=need requires=need require=need supports=support support=support
     expires=expire expire=expire defaults=default deploy=deploy deploys=deploy stores=store store=store keeps=keep keep=keep starts=start start=start begins=start ends=end end=end
     belongs=belong returns=return return=return contains=contain allows=allow allow=allow depends=depend depend=depend works=work work=work owns=own own=own takes=take take=take
     lasts=last last=last holds=hold speaks=speak speak=speak writes=write write=write releases=release release=release ships=release commit=commit push=push merge=merge eats=eat eat=eat drinks=drink drink=drink
     points=point resolves=resolve maps=map retries=retry retry=retry accepts=accept accept=accept rejects=reject reject=reject happens=happen happen=happen goes=go go=go sits=sit indent=indent`,
  ).set('=', 'be'),
  having: new Set(),
  modals: words(
    'must should can may will do does shall could would always usually still now currently only also please never not cannot longer no',
  ),
  negations: words(
    'not never no cannot without neither nor dont doesnt isnt arent wont cant shouldnt mustnt couldnt wouldnt',
  ),
  fillers: words(
    `a an the our my your its their this that to at in on of by now currently always usually still also only just set called named be and as instead please`,
  ),
  pointing: words(
    'it this that these those he she they there here which who what one something everything nothing and but or if when because so then',
  ),
  us: words('we i you user team'),
  bound:
    /\b(?:was|were|had|used to|until|before|back then|at the time|previously|formerly|yesterday|last (?:week|month|year|night)|ago|if|unless|when|whether|maybe|perhaps|might|could|would|\d{4}-\d\d-\d\d)\b|\?\s*$/i,
  days: words(
    'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december',
  ),
  single:
    /\b(?:default|favourit|favorit|primari|prefer|main|current|owner|lead|maintain|statu|languag|databas|framework|version|port|region|editor|name|format|colour|color|timezon|zone|deadlin|limit|timeout|branch|licens|role|citi|capit|provid|host|manag|convent|style|strategi|size|address|url|password|price|birthday|job|employ|shell|theme|interv|day|date|time|model|titl|level|indent|encod|protocol|compani|author|contact|email|phone)/,
  opposites: pairs(
    `enabl/disabl on/off true/fals alwai/never allow/forbidden allow/deni requir/option mandatori/option synchron/asynchron sync/async public/privat tab/space up/down
     increas/decreas safe/unsaf open/close mutabl/immut ascend/descend light/dark singl/doubl yes/no empti/full support/unsupport stabl/unstabl valid/invalid
     encrypt/unencrypt signed/unsign manual/automat`,
  ),
  capitalsAreNames: true,
  dropsPronouns: false,
  prepare: (sentence) =>
    sentence.replace(/[’']([a-z])\b/gi, (_, letter: string) => (letter === 't' ? 't' : ` ${letter}`)),
};
