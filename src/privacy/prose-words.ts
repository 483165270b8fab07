import { once } from '../model/once.ts';
import { compileOnce } from './secret-rule.ts';

/** How passwords are spoken of, in English, German, French, Spanish, Portuguese, Japanese and Chinese. */

const BLANK = '[ \\t]+';

/** `for the router`, `du serveur`, `de root en 10.0.0.1`: what the password is of. */
const OF = `(?:${BLANK}\\(?(?:for|of|on|to|at|in|from|für|fürs|von|vom|zum|zur|auf|im|beim|des|der|de|du|pour|sur|d['’]|del|para|en|do|da|dos|em|no|na)(?:${BLANK}[\\p{L}\\d._/'’@-]{0,31}[\\p{L}\\d/]\\)?){1,5}?)?`;
/** Any words at all. */
const GAP = `(?:${BLANK}[\\p{L}\\d._/'’@()-]{0,23}[\\p{L}\\d)]){1,5}?`;
const STILL = `(?:${BLANK}(?:now|still|currently|just|actually|simply|probably|always|again|temporarily|jetzt|nun|aktuell|noch|immer|derzeit|momentan|wieder|einfach|auf|maintenant|toujours|actuellement|désormais|ahora|actualmente|todavía|siendo|agora|ainda|sendo|set|changed|reset|to|called|following|the|as|follows|this|one)){0,3}`;
const IS =
  'is|was|are|were|(?:will|should|must|can|may|used[ \\t]+to)[ \\t]+be|remains?|stays?|became|becomes|equals|reads|ist|war|lautet|lautete|heißt|heisst|bleibt|wäre|est|était|sera|reste|devient|es|era|será|sigue|fue|é|foi|continua|ficou';
const BECOMES =
  '(?:(?:wird|werden|cambió|pasó|mudou|passou|passe)[ \\t]+)?(?:to|auf|zu|à|en|a|por|para)|(?:has[ \\t]+been|was|got|is|wurde|a[ \\t]+été|fue|ha[ \\t]+sido|foi)[ \\t]+(?:set|changed|reset|updated|switched|rotated|auf|zu|changée?|modifiée?|remplacée?|cambiada|actualizada|alterada|mudada|trocada)(?:[ \\t]+(?:back|to|en|par|por|a|para))?';
const TO_VALUE = '(?:[ \\t]+|(?=["\'`“„«]))';
const END_OF_LINK = `${STILL}[ \\t]*[:=]?${TO_VALUE}`;
/** Bold, in Markdown or HTML, may end before or after the colon. */
const BOLD = '(?:\\*\\*|__|</(?:b|strong|em|dt|th|td|label)>)?';

/** `is`, right behind the word or behind what it is of. */
export const states = compileOnce(`\`?${OF}(?:['’]s|${BLANK}(?:${IS})|,?${BLANK}c['’]est)${END_OF_LINK}`, 'iuy');
/** A colon and the like. */
export const signs = compileOnce(
  `(?:[ \\t]\\([^()\\n]{1,32}\\))?${OF}(?:[ \\t]{0,2}${BOLD}(?:[:=→]|=>|->)${BOLD}${TO_VALUE}|[ \\t]{0,2}[：＝][ \\t]*|${BLANK}[-–—]${BLANK})`,
  'iuy',
);
/** `was changed to` */
export const changes = compileOnce(`\`?${OF}${BLANK}(?:${BECOMES})${END_OF_LINK}`, 'iuy');
/** `is`, behind other words, or in the next sentence. */
export const statesLater = compileOnce(
  `(?:${GAP}${BLANK}(?:${IS})|[^\\n.?!]{0,60}[,.?!]${BLANK}(?:it[ \\t]+is|it['’]?s|es[ \\t]+ist|c['’]est|es|é))${END_OF_LINK}`,
  'iuy',
);
export const linkCjk = once(
  () =>
    /(?:[はがを、：:=＝\s]|です|以下の通り|次の通り|如下|是|已|为|為|改成|改为|改為|更新为|设为|设置为|設為|就是|变成|了|叫|的){0,6}/uy,
);
/** Nothing but a blank, a bracket or a comma. */
export const BESIDE = /,?[ \t]{1,2}\(?/y;

export const password = once(
  () =>
    /(?:(?<!ht)pass(?:words?|wort|phrase|code|wd)|kennwort|mot[ -]de[ -]passe|contraseñas?|senha|palavra[ -]passe|clave)(?:[ \t]+(?:root|wifi|wi-fi|wlan|admin|administrateur|sudo|de acceso|de acesso|par défaut|por defecto|padrão|maestra|mestra|maître|temporaire|temporal|temporária|provisoire|actuel|actual|atual|inicial|initial)(?!\p{L}))?/iuy,
);
/** Test programs report with PASS, and a colon. */
export const short = once(() => /(?:pass(?!(?<=PASS):)|pw|pwd|mdp|pswd)(?![\p{L}\d_])/iuy);
export const cjk = once(() => /(?:パスワード|密码|密碼|口令|暗証番号|密钥)/uy);
export const accessCode = once(
  () =>
    /(?:(?:wi-?fi|wlan|wpa2?|network|netzwerk)[ -]?(?:key|schlüssel|code)|clé (?:wifi|wpa)|(?:unlock|access|security|entry|door|gate|alarm)[ -]code|zugangscode|code d['’]accès|código de acceso|código de acesso)(?![\p{L}\d_])/iuy,
);
export const key = once(
  () =>
    /(?:shared secret|client secret|secret|(?:api|access|secret)[ -]key|(?:access|api|auth|bearer)[ -]token|token|schlüssel|clé d['’]api)(?![\p{L}\d_])/iuy,
);

/** `you pass`, `tests pass`: not the noun. */
export const VERB = /\b(?:tests?|checks?|can|to|must|should|will|could|would|you|we|they|I|not|and|or|all)[ \t]+$/i;
/** What stands before a password that is named by a short word alone: a name, or whose it is. */
export const afterName = once(
  () =>
    /\b(?:(?:user(?:name)?|login|benutzer|nutzername|account|konto|utilisateur|identifiant|usuario|usuário)\b[^\n]{1,40}[,;/]?[ \t]+(?:(?:and|und|et|y|e)[ \t]+)?|(?:root|admin|sudo|wifi|wlan|ssh|db|vpn|ftp|router|server)[ \t]+)$/iu,
);
/** What stands before a word with a password right behind it. */
export const beforeValue = once(
  () =>
    /(?:(?:with|using|use|has|and|mit|und|dem|das|avec|et|utilise|con|usa|y|com|e|old|new|my|her|his|default|admin|root|用|login|user(?:name)?|usuario|usuário|utilisateur|benutzer|identifiant|用户名|账号)\b[^\n]{0,32}|[(,，、]|\w@[\w.-]{1,64})[ \t]*(?:the|a|le|la|das|dem|mot de)?[ \t]*[\p{L}-]{0,24}$/iu,
);

export const HAS_AS = /[ \t](?:as|als|comme|como)[ \t]|[を作当設设]/;
/** `… as the password` */
export const saidAs = once(
  () =>
    /(?:^|[\s"'`“„«‘「（(])([^\s"'`\\“”„«»‘’「」，。]{4,72})["'`”“»’」]?(?:[ \t]+(?:as|als|comme|como)[ \t]+(?:\S{1,20}[ \t]+){0,3}|[ \t]*(?:を|作为|作為|当|設為|设为)[ \t]*)$/u,
);
/** `type … when it asks for the password` */
export const typed = once(
  () =>
    /(?:type|enter|use|try|tippe|gib|verwende|nimm|tape|saisis|utilise|escribe|usa|pon|digite)[ \t]+["'`“„«]?([^\s"'`\\“”„«»‘’]{4,72})["'`”“»]?[ \t]+(?:when|if|for|wenn|für|ein|quand|pour|cuando|para|quando)[ \t]+[^\n.!?]{0,40}$/iu,
);

const SIGN_IN =
  'log(?:ged|ging)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|einloggen|credentials?|creds|logins?|user\\/pass(?:word)?|zugangsdaten|anmelden|anmeldedaten|melde|identifiants?|connecte(?:-toi|z-vous)|connexion|credenciales|credenciais|entra|entre|inicia sesión|accede|acesse|acceso|acesso|ログイン|账号|登录|用户名|ユーザー';
const WITH =
  '(?:(?<=[ \\t])(?:with|as|using|is|are|was|were|be|mit|dich|sind|ist|lauten|avec|sont|est|con|son|es|com|são|é)[ \\t]+|[:=：][ \\t]*|[は是][ \\t]*)';
const NAME = '(\\w[\\w.@+-]{1,40})';
/** A word for signing in, and a name before the sign that parts it from the password. */
export const pair = compileOnce(
  `(?:(?:${SIGN_IN})(?![a-z])(?:[^\\n.;{}[\\]"'\`<>=]{0,40}?${WITH}${NAME}(?:[ \\t]+\\/[ \\t]+|\\/|:[ \\t]?)|[ \\t]+${NAME}[ \\t]+\\/[ \\t]+)|try[ \\t]+${NAME}[ \\t]?\\/[ \\t]?|(?:wi-?fi|wlan)[ \\t]*:[ \\t]*${NAME}[ \\t]+\\/[ \\t]+)`,
  'iuy',
);
export const PAIR_WORDS =
  'wifi,wi-fi,wlan,log,sign,einlog,cred,try,user/pass,zugangs,anmeld,melde,identifiant,connecte,connexion,entr,inicia,acce,aces,ログイン,账号,登录,用户名,ユーザー';
