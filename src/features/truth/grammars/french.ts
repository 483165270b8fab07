import { type Grammar, pairs, verbs, words } from './grammar.ts';

export const FRENCH: Grammar = {
  language: 'fr',
  verbs: verbs(
    `est=be sont=be vaut=be utilise=use utilisons=use utilisent=use utilisez=use emploie=use tourne=run tournent=run exécute=run exécutent=run écoute=listen écoutent=listen vit=live
     habite=live coûte=cost coûtent=cost préfère=prefer préférons=prefer aime=like aimons=like déteste=hate veut=want nécessite=need nécessitent=need requiert=need requièrent=need
     exige=need supporte=support supportent=support expire=expire expirent=expire déploie=deploy déployons=deploy déploient=deploy déployez=deploy stocke=store stockons=store
     stockent=store commence=start commencent=start démarre=start démarrent=start finit=end finissent=end termine=end appartient=belong renvoie=return retourne=return contient=contain
     contiennent=contain autorise=allow permet=allow permettent=allow dépend=depend dépendent=depend dure=last durent=last fonctionne=work fonctionnent=work travaille=work parle=speak
     accepte=accept acceptent=accept possède=own prend=take prennent=take`,
  ).set('=', 'be'),
  having: new Set(),
  modals: words(
    'doit doivent peut peuvent devons pouvons toujours généralement encore maintenant actuellement seulement aussi également ne n pas jamais plus',
  ),
  negations: words('ne n pas jamais aucun aucune sans ni'),
  fillers: words(
    `le la les l un une des de du d notre nos mon ma mes votre vos son sa ses leur leurs ce cet cette ces à au aux en dans sur par et comme toujours actuellement maintenant encore
     aussi seulement généralement également plutôt y s se`,
  ),
  pointing: words(
    `il elle ils elles on ce c ceci cela ça celui celle ceux celles qui que quoi dont où ici là rien tout tous chaque et mais ou si quand parce alors donc lorsque`,
  ),
  us: words('nous je j tu vous utilisateur équipe'),
  bound:
    /(?<![\p{L}])(?:était|étaient|avait|avaient|fut|furent|a été|ont été|sera|seront|si|s['’]ils?|quand|lorsqu\p{L}*|jusqu\p{L}*|avant|hier|auparavant|autrefois|précédemment|peut-être|pourrait|pourraient|serait|seraient|sauf|à moins|(?:non|pas) seulement|par exemple|il y a|n(?:e\s|['’])[^.]*\sque|\d{4}-\d\d-\d\d)(?![\p{L}])|\?\s*$/iu,
  days: words(
    'lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  ),
  single:
    /\b(?:defaut|prefere|principal|actuel|proprietaire|responsable|statut|etat|langue|langage|base|version|port\b|region|editeur|nom\b|format|couleur|fuseau|echeance|limite|delai|branche|licence|role|ville|fournisseur|hote|taille|adresse|url|prix|anniversaire|intervalle|duree|date|heure|modele|titre|niveau|encodage|protocole|auteur|valeur|nombre)/,
  opposites: pairs(
    `active/desactive ouvert/ferme vrai/faux autorise/interdit public/prive synchrone/asynchrone clair/sombre valide/invalide manuel/automatique obligatoire/facultatif
     obligatoire/optionnel vide/plein stable/instable tabulation/espace croissant/decroissant possible/impossible disponible/indisponible`,
  ),
  capitalsAreNames: true,
  dropsPronouns: false,
  prepare: (sentence) => sentence.replace(/(?<![\p{L}])([ldnsjcmt]|qu)['’](?=\p{L})/giu, '$1 '),
};
