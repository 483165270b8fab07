import { type LanguageRules, opening, words } from './statement.ts';

const FAULT = '(?:bug|problema|erro|falha|queda|vazamento|regressão|culpado)';

export const PORTUGUESE: LanguageRules = {
  language: 'pt',
  rules: [
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:decidimos|decidi|escolhemos|escolhi|optamos|optei|combinamos|definimos|acordamos|a gente decidiu|o time decidiu|a equipe decidiu|a equipa decidiu|ficou decidido)',
      ),
    },
    { type: 'decision', confidence: 0.75, pattern: /^(?:a )?decisão(?: é| foi| final)?\s*[:–—-]/i },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words('(?:vamos|vou) (?:ficar|seguir) com|(?:mudamos|migramos|passamos) (?:de|do|da|para|pra)'),
    },
    {
      type: 'decision',
      confidence: 0.65,
      isUsers: true,
      pattern: opening('(?:ok,? |certo,? |então )?(?:vamos usar|vamos com|vamos manter|usa|use)'),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:a |o )?(?:verdadeira |real )?(?:causa|origem|motivo|razão)(?: raiz)?(?: (?:do|da|dos|das|de) .{2,80}?)? (?:era|é|foi|estava|está)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        `(?:o|a|esse|essa|este|esta) ${FAULT} (?:era|é|foi|vinha|vem|estava|está|ocorria|ocorre|acontecia|acontece|aparecia) (?:que|de|do|da|em|no|na|porque|quando|um|uma|por|causad[oa])`,
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        '(?:era|é|foi|estava|eram|foram) (?:causad[oa]s?|provocad[oa]s?|devid[oa]s?) (?:por|pel[oa]s?|a|ao|à)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:corrigi|corrigimos|resolvi|resolvemos|consertei|consertamos|arrumei|corrigido|resolvido|consertado)(?: .{2,60}?)? (?:mudando|adicionando|fazendo|removendo|usando|trocando|movendo)|a (?:solução|correção) (?:foi|é|era)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        '(?:falha|falhava|falhou|quebra|quebrava|quebrou|trava|travava|travou|cai|caía|caiu) (?:porque|pois|já que|devido)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.75,
      isUsers: true,
      pattern: words('a partir de agora|daqui (?:para|pra) frente|de agora em diante|doravante'),
    },
    {
      type: 'convention',
      confidence: 0.65,
      isUsers: true,
      pattern: words(
        '(?:sempre|nunca|jamais) (?:use|usar|rode|rodar|execute|escreva|coloque|crie|adicione|importe|faça|teste|altere|commite|suba|mexa|edite)|(?:use|rode|escreva|coloque|faça|crie) sempre',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      pattern: words(
        '(?:nossa|a|uma) (?:convenção|regra|norma|política)s? (?:é|diz|para|de nomes|do projeto)|(?:sempre|nunca) (?:usamos|escrevemos|fazemos|colocamos|subimos)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: words('(?:eu )?(?:prefiro|quero que|não quero)|preferimos|gosto mais'),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words('(?:aprendi|aprendemos|descobri|descobrimos|percebi|percebemos|notei|notamos|constatamos) que'),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words('acontece que|no fim das contas,?|acabou que|verificou-se que|descobriu-se que'),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: opening('(?:lição|atenção|importante|cuidado|vale lembrar|lembre-se|pegadinha|armadilha)'),
    },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: words('não (?:funciona|funcionam) (?:com|em|no|na|se|quando|sob|atrás|sem)|o truque (?:é|foi|era)'),
    },
    {
      type: 'context',
      confidence: 0.6,
      pattern: words(
        '(?:nós|a gente|o projeto|o serviço|a aplicação|o app|o backend|o frontend|nosso \\S+|nossa \\S+|a api) (?:usamos|usa|utiliza|roda|é executad[oa]|é escrit[oa] em|está (?:hospedad[oa]|implantad[oa]) (?:em|no|na)|depende d[eoa]|fica (?:em|no|na))',
      ),
    },
  ],
  reason: words('porque|pois|já que|devido a|por causa|para evitar|para que|senão|caso contrário'),
  doubt: words(
    'talvez|provavelmente|possivelmente|pode ser|poderia|acho que|creio que|suponho|parece|aparentemente|não tenho certeza|quem sabe',
  ),
  notYet: words(
    'devemos|deveríamos|podemos|poderíamos|quer que|você quer|vou (?:olhar|ver|verificar|começar|tentar|checar|dar uma olhada)|deixa eu|deixe-me|se você|se quiser|se usarmos|por exemplo|ainda não|opção [a-d1-9]|daria para|você pode',
  ),
  pointsBack: opening('(?:e |mas |então )?(?:isso|isto|esta|este|essa|esse|ele|ela|eles|elas|por isso)'),
};
