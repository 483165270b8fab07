import { type Grammar, pairs, verbs, words } from './grammar.ts';

export const GERMAN: Grammar = {
  language: 'de',
  verbs: verbs(
    `ist=be sind=be lautet=be beträgt=be heißt=be hat=have haben=have nutzt=use nutzen=use nutze=use verwendet=use verwenden=use verwende=use benutzt=use benutzen=use
     läuft=run laufen=run lauscht=listen lauschen=listen hört=listen wohnt=live lebt=live kostet=cost kosten=cost bevorzugt=prefer bevorzugen=prefer mag=like mögen=like liebt=like
     hasst=hate will=want braucht=need brauchen=need benötigt=need benötigen=need erfordert=need unterstützt=support unterstützen=support deployen=deploy deployt=deploy deploye=deploy
     speichert=store speichern=store beginnt=start beginnen=start startet=start starten=start endet=end enden=end gehört=belong gehören=belong liefert=return enthält=contain
     enthalten=contain erlaubt=allow erlauben=allow dauert=last dauern=last liegt=sit liegen=sit steht=sit spricht=speak akzeptiert=accept arbeitet=work arbeiten=work
     funktioniert=work erscheint=release gilt=hold gelten=hold`,
  ).set('=', 'be'),
  having: words('hat haben will'),
  modals: words(
    'muss müssen soll sollen sollte sollten kann können darf dürfen wird werden immer stets meistens noch jetzt derzeit aktuell momentan nur auch bitte nicht nie niemals mehr',
  ),
  negations: words('nicht nie niemals kein keine keinen keinem keiner keines ohne weder nirgends'),
  fillers: words(
    `der die das den dem des ein eine einen einem einer eines unser unsere unseren unserem unserer mein meine meinen meinem dein deine sein seine ihr ihre dieser diese dieses
     zu zum zur an am in im auf von vom bei beim und als so jetzt derzeit aktuell momentan immer stets noch nur auch eben gerade bitte stattdessen sie`,
  ),
  pointing: words(
    `es das dies diese dieser dieses er sie dort hier man welche welcher welches wer was etwas alles nichts jeder jede jedes und aber oder wenn weil dann sonst dabei dadurch damit
     daher deshalb darin darauf davon dazu hierbei dafür beide`,
  ),
  us: words('wir ich du nutzer benutzer team'),
  bound:
    /(?<![\p{L}])(?:war|waren|wurde|wurden|hatte|hatten|früher|bisher|damals|gestern|vorher|zuvor|bis|bevor|nachdem|sobald|solange|falls|wenn|sofern|ob|vielleicht|eventuell|möglicherweise|könnte|könnten|würde|würden|wäre|es sei denn|außer|nicht nur|zum beispiel|z\.\s?b\.|letzte[nrs]? (?:woche|monat|jahr|nacht)|\d{4}-\d\d-\d\d)(?![\p{L}])|\?\s*$/iu,
  days: words(
    'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar februar märz april mai juni juli august september oktober november dezember',
  ),
  single:
    /standard|liebling|primar|haupt|bevorzug|aktuell|besitzer|eigentumer|leiter|status|sprache|datenbank|framework|version|port\b|region|editor|\bname|format|farbe|zeitzone|frist|limit|grenze|timeout|branch|zweig|lizenz|rolle|stadt|anbieter|\bhost|grosse|adresse|\burl|passwort|preis|geburtstag|intervall|dauer|\btag\b|datum|zeit|modell|titel|ebene|kodierung|protokoll|firma|autor|mail|telefon|wert\b|anzahl/,
  opposites: pairs(
    `aktiviert/deaktiviert eingeschaltet/ausgeschaltet wahr/falsch erlaubt/verboten offentlich/privat synchron/asynchron hell/dunkel offen/geschlossen gultig/ungultig
     verschlusselt/unverschlusselt sicher/unsicher manuell/automatisch aufsteigend/absteigend leer/voll tabs/leerzeichen erforderlich/optional verpflichtend/optional stabil/instabil
     moglich/unmoglich verfugbar/unverfugbar`,
  ),
  capitalsAreNames: false,
  dropsPronouns: false,
};
