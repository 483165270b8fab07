import { type LanguageRules, opening, words } from './statement.ts';

const FAULT = '(?:bug|problema|error|fallo|caída|fuga|regresión|culpable)';

export const SPANISH: LanguageRules = {
  language: 'es',
  rules: [
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:hemos|he|el equipo ha)(?: finalmente| ya)? (?:decidido|elegido|acordado|optado|escogido)|(?:decidimos|decidí|elegimos|elegí|acordamos|optamos|opté|escogimos|nos decidimos) (?:por|usar|no|que|mantener|migrar|el|la|los|las|en)?',
      ),
    },
    { type: 'decision', confidence: 0.75, pattern: /^(?:la )?decisión(?: es| fue| final)?\s*[:–—-]/i },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:nos quedamos con|vamos a quedarnos con|seguimos con|pasamos a|migramos (?:a|de)|cambiamos (?:a|de))',
      ),
    },
    {
      type: 'decision',
      confidence: 0.65,
      isUsers: true,
      pattern: opening('(?:vale,? |ok,? |entonces )?(?:usemos|vamos con|quedémonos con|pasemos a|usa)'),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:la |el )?(?:verdadera |verdadero )?(?:causa|origen|motivo|razón)(?: (?:del|de la|de los|de) .{2,80}?)? (?:era|es|fue|estaba|está)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        `(?:el|la|este|esta) ${FAULT} (?:era|es|fue|venía|viene|estaba|está|se debía|se debe|ocurría|ocurre|se producía|aparecía) (?:que|de|del|en|a|al|porque|cuando|un|una|por)`,
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        '(?:era|es|fue|estaba|está|eran|fueron) (?:causad[oa]s?|provocad[oa]s?|debid[oa]s?) (?:por|a|al)|se debía (?:a|al)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:corregí|corregimos|arreglé|arreglamos|solucioné|solucionamos|resolví|resolvimos|arreglado|corregido|solucionado|resuelto)(?: .{2,60}?)? (?:cambiando|añadiendo|haciendo|quitando|usando|moviendo)|la solución (?:fue|es|era)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        '(?:falla|fallaba|falló|se rompe|se rompía|se rompió|se cuelga|se colgaba|se caía|se cayó) (?:porque|ya que|debido)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.75,
      isUsers: true,
      pattern: words('a partir de ahora|de ahora en adelante|en adelante|en lo sucesivo'),
    },
    {
      type: 'convention',
      confidence: 0.65,
      isUsers: true,
      pattern: words(
        '(?:siempre|nunca|jamás) (?:usa|uses|usar|ejecuta|ejecutes|escribe|escribas|pon|pongas|llama|haz|hagas|crea|crees|añade|añadas|importa|importes|subas|toques|modifiques|commitees|prueba)|(?:usa|ejecuta|escribe|pon|haz|crea) siempre',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      pattern: words(
        '(?:nuestra|la|una) (?:convención|regla|norma|política)s? (?:es|dice|para|de nombres|del proyecto)|(?:siempre|nunca) (?:usamos|escribimos|hacemos|ponemos|subimos)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: words('(?:yo )?(?:prefiero|quiero que|no quiero)|me gusta más|preferimos'),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words(
        '(?:he|hemos) (?:aprendido|descubierto|comprobado|averiguado|notado) que|(?:aprendí|aprendimos|descubrí|descubrimos|me di cuenta|nos dimos cuenta)(?: de)? que',
      ),
    },
    { type: 'learning', confidence: 0.7, pattern: words('resulta que|resultó que|resultó ser') },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: opening('(?:lección|ojo|importante|cuidado|a tener en cuenta|ten en cuenta|recuerda que)'),
    },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: words('no (?:funciona|funcionan) (?:con|en|si|cuando|bajo|detrás)|el truco (?:es|está|fue|era)'),
    },
    {
      type: 'context',
      confidence: 0.6,
      pattern: words(
        '(?:nosotros|el proyecto|el servicio|la aplicación|la app|el backend|el frontend|nuestro \\S+|nuestra \\S+|la api) (?:usamos|usa|utiliza|corre|se ejecuta|está (?:escrit[oa] en|desplegad[oa] en|alojad[oa] en)|depende de|vive en)',
      ),
    },
  ],
  reason: words('porque|ya que|debido a|puesto que|para evitar|para que|si no|de lo contrario'),
  doubt: words(
    'quizás?|tal vez|probablemente|posiblemente|podría|puede que|creo que|pienso que|supongo|parece|al parecer|no estoy segur[oa]|a lo mejor',
  ),
  notYet: words(
    'deberíamos|debemos|podemos|podríamos|quieres que|queréis|voy a (?:mirar|ver|comprobar|empezar|probar|revisar)|déjame|si quieres|si queréis|si usamos|por ejemplo|aún no (?:hemos|está)|todavía no|sin decidir|opción [a-d1-9]|se podría|puedes',
  ),
  pointsBack: opening('(?:y |pero |así que )?(?:eso|esto|esta|este|estos|estas|ello|él|ella|por eso|lo cual)'),
};
