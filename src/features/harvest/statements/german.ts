import { type LanguageRules, opening, words } from './statement.ts';

const FAULT = '(?:bug|problem|fehler|absturz|ursache|leck|auslöser)';

export const GERMAN: LanguageRules = {
  language: 'de',
  rules: [
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:wir|ich) (?:haben|habe|hatten) (?:uns|mich)?.{0,100}?(?:entschieden|entschlossen|geeinigt|beschlossen|festgelegt)|(?:haben|habe) (?:wir|ich) (?:uns|mich)?.{0,100}?(?:entschieden|geeinigt|beschlossen|festgelegt)',
      ),
    },
    { type: 'decision', confidence: 0.75, pattern: /^(?:die )?entscheidung(?: ist| war| lautet)?\s*[:–—-]/i },
    {
      type: 'decision',
      confidence: 0.7,
      pattern: words(
        '(?:wir|ich) (?:nehmen|nehme|bleiben bei|bleibe bei|setzen auf|setze auf|verwenden ab jetzt|wechseln (?:von|zu|auf)|steigen um|sind .{2,60} umgestiegen)',
      ),
    },
    {
      type: 'decision',
      confidence: 0.65,
      isUsers: true,
      pattern: opening('(?:ok(?:ay)?,? |gut,? |dann )?(?:lass(?:t)? uns|nehmen wir|nimm|machen wir)'),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:die |der )?(?:eigentliche |wirkliche )?(?:ursache|grund|auslöser)(?: (?:für|von|des|der) .{2,80}?)? (?:war|ist|lag)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        `(?:der|das|die) ${FAULT} (?:war|ist|lag|liegt|kam|kommt|trat|tritt) (?:dass|daran|an|am|in|im|daher|von|davon|auf|ein|eine|weil|wenn|durch)`,
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words('(?:wurde|wird|war|ist) .{0,60}?(?:verursacht|ausgelöst)|lag (?:daran|am|an)'),
    },
    {
      type: 'bug',
      confidence: 0.75,
      pattern: words(
        '(?:behoben|gelöst|beseitigt|repariert)(?: wurde| habe| haben)?(?:,)? (?:indem|durch|mit)|(?:indem|durch) .{2,120} (?:behoben|gelöst|beseitigt)',
      ),
    },
    {
      type: 'bug',
      confidence: 0.7,
      pattern: words(
        '(?:schlug fehl|schlägt fehl|scheiterte|scheitert|stürzte ab|stürzt ab|hing|hängt|brach ab|fehlgeschlagen),? weil',
      ),
    },
    {
      type: 'convention',
      confidence: 0.75,
      isUsers: true,
      pattern: words('ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|in zukunft'),
    },
    {
      type: 'convention',
      confidence: 0.65,
      isUsers: true,
      pattern: words(
        '(?:bitte )?(?:immer|nie|niemals|grundsätzlich) .{0,80}?(?:verwenden|benutzen|nutzen|ausführen|schreiben|committen|pushen|anlegen|benennen|testen|importieren|machen|prüfen|verwende|benutze|nutze|schreibe?|mach)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      pattern: words(
        '(?:unsere|die|eine) (?:konvention|regel|richtlinie|namensregel|vereinbarung)(?:en)? (?:ist|sind|lautet|besagt|für)|(?:bei uns|wir) .{0,20}?(?:gilt|verwenden|benutzen|nutzen|schreiben) (?:immer|nie|grundsätzlich|ausschließlich)',
      ),
    },
    {
      type: 'convention',
      confidence: 0.7,
      isUsers: true,
      pattern: words(
        'ich (?:bevorzuge|möchte (?:keine|immer|nie|dass)|will (?:keine|immer|nie|dass)|mag (?:es )?lieber)|mir ist lieber',
      ),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words(
        '(?:ich habe|wir haben|habe ich|haben wir) .{0,60}?(?:gelernt|herausgefunden|festgestellt|gemerkt|entdeckt)',
      ),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: words('(?:es )?(?:hat sich herausgestellt|stellte? sich heraus|stellt sich heraus|zeigte sich)'),
    },
    {
      type: 'learning',
      confidence: 0.7,
      pattern: opening('(?:merke|lehre|erkenntnis|wichtig zu wissen|stolperfalle|zu beachten)'),
    },
    {
      type: 'learning',
      confidence: 0.65,
      pattern: words('funktioniert (?:nicht|nur) (?:mit|auf|wenn|unter|hinter|bei|ohne|im|in)|der trick (?:ist|war)'),
    },
    {
      type: 'context',
      confidence: 0.6,
      pattern: words(
        '(?:wir|das projekt|der dienst|die app|das backend|das frontend|unser \\S+|unsere \\S+|die anwendung) (?:verwenden|verwendet|benutzen|benutzt|nutzen|nutzt|läuft|laufen|ist in .{2,40} geschrieben|wird .{2,40} (?:ausgeliefert|betrieben|gehostet))',
      ),
    },
  ],
  reason: words('weil|denn|da|wegen|damit|sonst|um .{2,80} zu'),
  doubt: words(
    'vielleicht|möglicherweise|vermutlich|wahrscheinlich|eventuell|könnte|ich glaube|ich denke|ich vermute|scheint|scheinbar|anscheinend|unklar|wohl',
  ),
  notYet: words(
    'sollen wir|sollten wir|wollen wir|können wir|könnten wir|soll ich|möchtest du|willst du|ich werde (?:jetzt|nun|zuerst|mal)|ich schaue|lass mich|falls|wenn du|wenn sie|wenn wir|zum beispiel|z\\. ?b\\.|noch nicht entschieden|option [a-d1-9]|man könnte',
  ),
  pointsBack: opening('(?:und |aber |also )?(?:es|das|dies|diese[srnm]?|sie|er|dadurch|deshalb|daher|deswegen)'),
};
