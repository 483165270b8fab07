import { ENGLISH } from './grammars/english.ts';
import { FRENCH } from './grammars/french.ts';
import { GERMAN } from './grammars/german.ts';
import { type Grammar, pairs } from './grammars/grammar.ts';
import { PORTUGUESE } from './grammars/portuguese.ts';
import { SPANISH } from './grammars/spanish.ts';

/** What decides, by language, whether two values exclude each other. */
type LanguageRules = Pick<Grammar, 'single' | 'opposites'>;

const CHINESE: LanguageRules = {
  single:
    /默认|首选|主要|当前|负责人|所有者|状态|语言|数据库|框架|版本|端口|区域|地区|编辑器|名称|名字|格式|颜色|时区|截止|上限|限制|超时|分支|许可证|角色|城市|供应商|主机|大小|地址|密码|价格|生日|间隔|时间|日期|模型|标题|级别|编码|协议|公司|作者|邮箱|电话|值|数量/,
  opposites: pairs(
    '启用/禁用 启用/停用 开启/关闭 打开/关闭 激活/停用 公开/私有 有效/无效 同步/异步 必填/可选 必需/可选 手动/自动 深色/浅色 升序/降序 允许/禁止 真/假',
  ),
};

const JAPANESE: LanguageRules = {
  single:
    /デフォルト|既定|お気に入り|現在|所有者|担当|責任者|状態|ステータス|言語|データベース|フレームワーク|バージョン|ポート|リージョン|地域|エディタ|名前|名$|形式|フォーマット|色|タイムゾーン|締め?切|期限|上限|制限|タイムアウト|ブランチ|ライセンス|役割|都市|プロバイダ|ホスト|サイズ|アドレス|パスワード|価格|誕生日|間隔|時間|日付|モデル|タイトル|レベル|エンコ|プロトコル|会社|作者|メール|電話|値|数$/,
  opposites: pairs(
    '有効/無効 オン/オフ 公開/非公開 必須/任意 同期/非同期 手動/自動 許可/禁止 昇順/降順 真/偽 タブ/スペース ダーク/ライト',
  ),
};

export const LANGUAGE_RULES: Readonly<Record<string, LanguageRules>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  ja: JAPANESE,
  zh: CHINESE,
};
