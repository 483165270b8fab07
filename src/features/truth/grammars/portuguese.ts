import { type Grammar, pairs, verbs, words } from './grammar.ts';

export const PORTUGUESE: Grammar = {
  language: 'pt',
  verbs: verbs(
    `é=be são=be está=be estão=be equivale=be fica=sit ficam=sit tem=have têm=have usa=use usam=use usamos=use utiliza=use utilizam=use utilizamos=use roda=run rodam=run executa=run
     executam=run escuta=listen escutam=listen ouve=listen vive=live mora=live custa=cost custam=cost prefere=prefer preferimos=prefer gosta=like gostam=like odeia=hate quer=want
     precisa=need precisam=need requer=need requerem=need exige=need suporta=support suportam=support expira=expire expiram=expire implanta=deploy implantamos=deploy armazena=store
     armazenamos=store armazenam=store guarda=store guardamos=store começa=start começam=start inicia=start termina=end acaba=end pertence=belong retorna=return devolve=return
     contém=contain contêm=contain permite=allow permitem=allow depende=depend dependem=depend dura=last duram=last leva=take demora=take funciona=work funcionam=work trabalha=work
     fala=speak aceita=accept aceitam=accept`,
  ).set('=', 'be'),
  having: new Set(),
  modals: words(
    'deve devem pode podem podemos devemos sempre normalmente geralmente ainda agora atualmente só somente apenas também não nunca jamais já mais',
  ),
  negations: words('não nunca jamais nenhum nenhuma sem nem'),
  fillers: words(
    `o a os as um uma uns umas de do da dos das nosso nossa nossos nossas meu minha seu sua seus suas teu tua este esta estes estas esse essa à ao aos às em no na nos nas por pelo pela e
     como sempre agora atualmente ainda também só apenas se lhe`,
  ),
  pointing: words(
    `ele ela eles elas isto isso aquilo este esta estes estas esse essa esses essas qual quem que algo tudo todos nada ninguém aqui ali lá e mas ou se quando porque então cada um`,
  ),
  us: words('nós eu você vocês usuário equipe equipa'),
  bound:
    /(?<![\p{L}])(?:era|eram|foi|foram|estava|estavam|tinha|tinham|havia|será|serão|antes|até|ontem|anteriormente|previamente|se|quando|enquanto|talvez|poderia|poderiam|seria|seriam|exceto|a menos|não (?:só|apenas|somente)|por exemplo|(?:semana|mês|ano) passad[oa]|\d{4}-\d\d-\d\d)(?![\p{L}])|\?\s*$/iu,
  days: words(
    `segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo segunda terça quarta quinta sexta janeiro fevereiro março abril maio junho julho agosto setembro
     outubro novembro dezembro`,
  ),
  single:
    /\b(?:padrao|favorit|principal|atual|don[oa]\b|responsavel|estado|status|idioma|linguagem|versao|porta\b|regiao|editor|nome|formato|cor\b|fuso|prazo|limite|tempo|ramo|branch|licenca|papel|cidade|provedor|tamanho|endereco|url|preco|aniversario|intervalo|duracao|data\b|hora|modelo|titulo|nivel|codificacao|protocolo|autor|valor|numero|banco)/,
  opposites: pairs(
    `habilitad/desabilitad ativad/desativad ativo/inativo ativa/inativa abert/fechad verdadeir/fals permitid/proibid public/privad sincron/assincron clar/escur valid/invalid
     manual/automatic obrigatori/opcional vazi/chei estavel/instavel tabulac/espac ascendente/descendente ligad/desligad possivel/impossivel`,
  ),
  capitalsAreNames: true,
  dropsPronouns: true,
};
