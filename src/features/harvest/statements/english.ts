import { type LanguageRules, opening, words } from './statement.ts';

const WORK =
  '(?:use|run|write|put|call|commit|push|add|name|prefer|import|keep|make|deploy|test|create|edit|touch|mock|format|store|return|throw|merge|rebase|log|hardcode|hard-code|squash|review|check|include|install|start|build)';
const FAULT = '(?:bug|problem|issue|error|crash|failure|regression|leak|culprit|deadlock|race|outage|flake)';
const OURS =
  '(?:we|our (?:\\S+ ){1,3}?|the (?:project|app|service|team|repo|repository|api|backend|frontend|server|worker|database)|this (?:project|repo|repository|app|service))';

export const ENGLISH: LanguageRules = {
  language: 'en',
  rules: [
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        "(?<!(?:that|which|things|what) )(?:we|i|they|the team)(?:'ve| have| had)?(?: finally| then| just| also| now)? (?:decided (?:to|on|for|that|against|not)|chosen|agreed (?:to|on|that)|settled on|opted (?:for|to))",
      ),
    },
    { type: 'decision', confidence: 0.75, pattern: /^(?:the )?(?:final )?decision(?: is| was)?\s*[:–—-]/i },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words("(?:we(?:'re| are)|i(?:'m| am)) (?:going|sticking|staying) with"),
    },
    {
      type: 'decision',
      confidence: 0.75,
      pattern: words(
        "(?:we|i|they|the team)(?:'ve| have)?(?: finally| then| also)? (?:went with|chose|picked|selected|opted for) .{2,160} (?:over|instead of|rather than|because|since)",
      ),
    },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        "(?:we|i)(?:'ll| will) (?:use|keep|go with|stick (?:with|to)) .{2,160} (?:instead of|rather than|because|since)",
      ),
    },
    {
      type: 'decision',
      confidence: 0.65,
      pattern: words(
        "(?:we|i)(?:'ve| have|'re| are)? (?:now )?(?:switch(?:ed|ing)|moved|moving|migrat(?:ed|ing)) (?:from .{2,60} )?(?:to|over to)",
      ),
    },
    {
      type: 'decision',
      confidence: 0.65,
      isUsers: true,
      pattern: opening(
        "(?:ok(?:ay)?,? |yes,? |alright,? |then )?let'?s (?:use|go with|stick (?:with|to)|switch to|keep|drop|move to|adopt)",
      ),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:the )?(?:root |real |actual |underlying )?cause (?:was|is|of [^,.;:]{3,60} (?:was|is|turned out))',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        `(?:the|this|that) (?:\\S+ ){0,3}?${FAULT} (?:was|is|turned out to be|came from|comes from|happened|happens|occurred|occurs) (?:that|because|when|caused by|due to|a |an |in |the )`,
      ),
    },
    { type: 'bug', confidence: 0.7, pattern: words('(?:was|were|is|are) (?:being )?caused by') },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        `(?:fixed|solved|${FAULT}s? (?:was|were|is|are) (?:now )?resolved)(?: it| this| that| the .{2,80}?)? by (?:\\p{L}+ing|not|a|an|the)`,
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words('(?:failed|failing|fails|crashed|crashes|broke|breaks|hangs|hung|timed out|leaked|leaks) because'),
    },
    { type: 'bug', confidence: 0.75, pattern: words('the fix (?:was|is) (?:to|a|an|in)') },
    {
      type: 'convention',
      confidence: 0.75,
      isUsers: true,
      pattern: words("from now on|going forward,? (?:please|we|all|every|use|always|never|do|don't)"),
    },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: opening(`(?:and |also |but |so )?(?:please )?(?:always|never|don'?t ever|do not ever) ${WORK}`),
    },
    {
      type: 'convention',
      confidence: 0.7,
      pattern: words(
        "(?:our|this project'?s|the project'?s|the team'?s) (?:\\S+ )?(?:convention|coding style|house style|style guide|policy|naming scheme|guideline)s? (?:is|are|says|here)",
      ),
    },
    { type: 'convention', confidence: 0.7, isUsers: true, pattern: words(`we (?:always|never|only ever) ${WORK}`) },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: words(
        "i(?:'d| would)? (?:always |strongly |really )?prefer|i want (?:all|every|you to always)|i don'?t want (?:any|you to)",
      ),
    },
    {
      type: 'convention',
      confidence: 0.65,
      isUsers: true,
      pattern: words(`(?:must|should) (?:always|never) (?:be |${WORK})`),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words(
        "(?:i|we)(?:'ve| have)?(?: just| also)? (?:learned|learnt|discovered|found out|realized|realised|figured out) (?:that|how|why|the)",
      ),
    },
    { type: 'learning', confidence: 0.65, pattern: words('(?:as it |it )?(?:turns|turned) out(?: that|,)') },
    {
      type: 'learning',
      confidence: 0.75,
      pattern: /^(?:lessons?(?: learned| learnt)?|til|gotcha|pitfall|takeaway|key insight)\s*[:–—-]/i,
    },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: opening('(?:please )?(?:keep in mind|be aware|remember|note to self)(?: that|:)'),
    },
    { type: 'learning', confidence: 0.7, pattern: words('the trick (?:is|was) (?:to|that)') },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: words(
        "(?:doesn'?t|does not|won'?t|cannot|can'?t) work (?:with|on|when|unless|until|inside|behind|under)",
      ),
    },
    {
      type: 'context',
      confidence: 0.6,
      pattern: opening(
        `(?:currently,? |today,? |right now,? |in production,? )?${OURS} (?:uses?|is written in|runs? (?:on|in|behind)|is deployed (?:to|on|with)|are deployed (?:to|on|with)|is built (?:with|on)|depends on|lives? (?:in|at|on)|talks? to|is hosted (?:on|at|by))`,
      ),
    },
  ],
  reason: words('because|since|due to|so that|as it|to avoid|otherwise|which caused'),
  doubt: words(
    'maybe|perhaps|probably|possibly|might|may have|could be|could have|i think|i guess|i believe|i suspect|i assume|seems|seem to|appears to|looks like|not sure|unclear|likely',
  ),
  notYet: words(
    "should we|shall we|do we|did we|can we|could we|would (?:you|we|it)|do you|let me|i'll (?:now|first|start|check|look|try|take|see|read)|i will (?:now|first|start|check|look)|i'm going to|i am going to|we could|you could|you can|one could|if you|if we|if i|unless you|for example|e\\.g\\.|such as if|option [a-d1-9]|have(?:n't| not) (?:yet )?decided|not (?:yet )?decided|undecided|wonder(?:ing)?|in case you|(?:can|could|would|should|might|may|will|to) (?:now )?be (?:fixed|solved|resolved|caused|avoided)|whether",
  ),
  pointsBack: opening('(?:and |but |so )?(?:it|this|that|these|those|they|which|he|she|the fix|the cause|the reason)'),
};
