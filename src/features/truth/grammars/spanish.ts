import { type Grammar, pairs, verbs, words } from './grammar.ts';

export const SPANISH: Grammar = {
  language: 'es',
  verbs: verbs(
    `es=be son=be está=be están=be equivale=be tiene=have tienen=have usa=use usan=use usamos=use use=use utiliza=use utilizan=use utilizamos=use utilice=use corre=run corren=run
     ejecuta=run ejecutan=run escucha=listen escuchan=listen vive=live cuesta=cost cuestan=cost prefiere=prefer preferimos=prefer gusta=like gustan=like odia=hate quiere=want
     necesita=need necesitan=need requiere=need requieren=need soporta=support soportan=support admite=support admiten=support expira=expire expiran=expire caduca=expire
     despliega=deploy desplegamos=deploy despliegan=deploy almacena=store almacenamos=store almacenan=store guarda=store guardamos=store empieza=start comienza=start inicia=start
     termina=end acaba=end pertenece=belong devuelve=return contiene=contain contienen=contain permite=allow permiten=allow depende=depend dependen=depend dura=last duran=last
     tarda=take funciona=work funcionan=work trabaja=work habla=speak acepta=accept aceptan=accept`,
  ).set('=', 'be'),
  having: new Set(),
  modals: words(
    'debe deben puede pueden podemos debemos siempre normalmente todavía aún ahora actualmente sólo solo también no nunca jamás ya más',
  ),
  negations: words('no nunca jamás ningún ninguna ninguno sin tampoco ni'),
  fillers: words(
    `el la los las lo un una unos unas de del nuestro nuestra nuestros nuestras mi mis tu tus su sus este esta estos estas ese esa a al en por y como siempre ahora actualmente todavía
     aún también sólo solo se le les`,
  ),
  pointing: words(
    `él ella ellos ellas esto eso aquello este esta estos estas ese esa esos esas cual quien que qué algo todo todos nada nadie aquí allí ahí y pero o si cuando porque entonces
     cada uno`,
  ),
  us: words('nosotros yo tú usted usuario equipo'),
  bound:
    /(?<![\p{L}])(?:era|eran|fue|fueron|estaba|estaban|tenía|tenían|había|habían|será|serán|antes|hasta|ayer|anteriormente|previamente|si|cuando|mientras|quizás?|tal vez|podría|podrían|sería|serían|salvo|excepto|a menos|no s[oó]lo|no solamente|por ejemplo|(?:semana|mes|año) pasad[oa]|\d{4}-\d\d-\d\d)(?![\p{L}])|[?¿]/iu,
  days: words(
    'lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  ),
  single:
    /\b(?:predeterminad|defecto|favorit|principal|actual|duen|responsable|estado|idioma|lenguaje|version|puerto|region|editor|nombre|formato|color|zona|plazo|limite|tiempo|rama|licencia|rol\b|ciudad|proveedor|tamano|direccion|url|precio|cumpleanos|intervalo|duracion|fecha|hora|modelo|titulo|nivel|codificacion|protocolo|autor|valor|numero|base)/,
  opposites: pairs(
    `habilitad/deshabilitad activad/desactivad abiert/cerrad verdader/fals permitid/prohibid public/privad sincron/asincron clar/oscur valid/invalid manual/automatic obligatori/opcional
     vaci/llen estable/inestable tabulador/espacio ascendente/descendente encendid/apagad posible/imposible`,
  ),
  capitalsAreNames: true,
  dropsPronouns: true,
};
