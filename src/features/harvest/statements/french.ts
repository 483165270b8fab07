import { type LanguageRules, opening, words } from './statement.ts';

const FAULT = '(?:bug|problème|erreur|plantage|panne|souci|fuite|régression)';

export const FRENCH: LanguageRules = {
  language: 'fr',
  rules: [
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        "(?:nous avons|on a|j'ai|l'équipe a)(?: finalement| donc)? (?:décidé|choisi|opté|convenu|retenu|tranché)",
      ),
    },
    { type: 'decision', confidence: 0.75, pattern: /^(?:la )?décision(?: est| était| finale)?\s*[:–—-]/i },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:on|nous) (?:part(?:ons)?|reste(?:ons)?|restons|passe|passons|migre|migrons|garde|gardons) (?:sur|avec|à|de|vers)',
      ),
    },
    {
      type: 'decision',
      confidence: 0.65,
      isUsers: true,
      pattern: opening("(?:ok,? |d'accord,? |alors )?(?:utilisons|prenons|partons sur|restons sur|gardons|passons à)"),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        "(?:la |l')?(?:vraie )?(?:cause|origine|raison)(?: (?:du|de la|de l'|des|de) .{2,80}?)? (?:était|est|venait|vient)",
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        `(?:le |la |l'|ce |cette )${FAULT} (?:venait|vient|était|est|provenait|provient|se produisait|se produit) (?:de|du|des|que|dû|due|causé|causée|quand|lorsque|parce|dans|un|une)`,
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words('(?:était|est|étaient|sont) (?:causée?s?|provoquée?s?|due?s?) (?:par|à|au|aux)'),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:corrigée?|résolue?|réparée?|réglée?) (?:en \\p{L}+ant|par|grâce)|la correction (?:est|était|consiste|a été)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        "(?:échoue|échouait|a échoué|plante|plantait|a planté|casse|bloque|bloquait) (?:parce qu[e']|car|à cause)",
      ),
    },
    {
      type: 'convention',
      confidence: 0.75,
      isUsers: true,
      pattern: words("désormais|dorénavant|à partir de maintenant|à l'avenir"),
    },
    {
      type: 'convention',
      confidence: 0.65,
      isUsers: true,
      pattern: words(
        '(?:toujours|jamais) (?:utiliser|lancer|écrire|mettre|appeler|committer|pousser|ajouter|nommer|importer|garder|créer|tester|modifier)|(?:utilise|lance|écris|mets|garde|nomme|teste|utilisez|écrivez) (?:toujours|jamais)|ne .{2,30} jamais',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      pattern: words(
        '(?:notre|la|une) (?:convention|règle|politique|norme)s? (?:est|veut|impose|pour|de nommage)|(?:on|nous) .{0,20}?(?:utilise|utilisons|écrit|écrivons) (?:toujours|uniquement)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: words("je (?:préfère|veux que|veux pas|ne veux (?:pas|plus|aucun))|j'aimerais que"),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words(
        "(?:j'ai|on a|nous avons) (?:appris|découvert|constaté|compris|remarqué|réalisé) (?:que|qu'|comment|pourquoi)",
      ),
    },
    { type: 'learning', confidence: 0.7, pattern: words("il s'avère qu[e']?|il s'est avéré qu[e']?|en fait, il") },
    { type: 'learning', confidence: 0.7, pattern: opening('(?:leçon|à retenir|piège|attention|à noter|bon à savoir)') },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: words(
        "ne (?:fonctionne|marche)nt? (?:pas|que) (?:avec|sur|si|quand|sous|derrière|dans)|l'astuce (?:est|était)",
      ),
    },
    {
      type: 'context',
      confidence: 0.6,
      pattern: words(
        "(?:nous|on|le projet|le service|l'application|le backend|le frontend|notre \\S+|l'api) (?:utilisons|utilise|tourne|tournent|est écrite? en|est déployée? (?:sur|avec)|est hébergée? (?:sur|chez)|dépend de)",
      ),
    },
  ],
  reason: words("parce qu[e']?|car|puisque|à cause|afin de|pour éviter|sinon"),
  doubt: words(
    'peut-être|probablement|sans doute|il se peut|pourrait|je pense|je crois|je suppose|semble|semblent|apparemment|pas sûr|possible que',
  ),
  notYet: words(
    "devrions-nous|faut-il|peut-on|pourrait-on|veux-tu|voulez-vous|je vais (?:maintenant|d'abord|regarder|vérifier|commencer|essayer)|laisse-moi|laissez-moi|si tu|si vous|si on|si nous|par exemple|pas encore décidé|option [a-d1-9]|on pourrait|tu peux|vous pouvez",
  ),
  pointsBack: opening("(?:et |mais |donc )?(?:il|elle|ils|elles|cela|ça|c'|ce|ceci|celui-ci|celle-ci)"),
};
