// Everything that the page says, in Japanese; what findings mean is in jaFindings.ts, what is lost when somebody saves in jaLosses.ts. What a file's own
// findings add (`detail`) is English in the library, and stays so beside the sentence.
import type { SkippedEntry } from '../../session/notices.ts';
import { bytes, count } from '../dom.ts';
import type { Trouble, Words } from './en.ts';

const some = (names: readonly string[]): string => names.slice(0, 3).join('、') + (names.length > 3 ? ' …' : '');

/** Amounts of the ledger, by what is counted, where that is no thing. */
const COUNTERS: Readonly<Record<string, string>> = { metres: 'm', seconds: '秒', degrees: '度', errors: '件', bones: '本', hands: '本' };

/** Letters of an address that are shown. */
const MOST_ADDRESS = 200;

/** What the library adds, in English, behind a sentence. */
const beside = (detail: string): string => (detail ? ` (${detail})` : '');

const trouble = (title: string, next: string, action = ''): Trouble => ({ title, next, action });

const methods: Record<number, string> = { 9: 'Deflate64', 12: 'BZIP2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd' };

const reasonLeftOut = ({ why, method }: SkippedEntry): string =>
  ({ encrypted: '暗号化', method: `圧縮方式 ${methods[method] ?? method}`, large: 'ZIP64', damaged: '破損' })[why];

/** Files inside an archive, each with the reason why it is left out. */
const leftOut = (entries: readonly SkippedEntry[]): string => some(entries.map(entry => `${entry.name} (${reasonLeftOut(entry)})`));

const NOT_WHOLE = 'ダウンロードかコピーが最後まで終わっていません。もう一度入手してください。';

/** What a file is instead, and what to do, by the code of the finding that says so. */
const unknownFile: Record<string, [what: string, next: string]> = {
  EMPTY_FILE: ['は空のファイルです', NOT_WHOLE],
  ALL_ZEROS: ['の中身は空です', NOT_WHOLE],
  HTML_PAGE: ['はモデルではなくウェブページです', 'アドレスの先がファイルではなくページになっています。'],
};

function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'そのファイルはサーバーにありません。アドレスを確かめてください。';
  if (status === 401 || status === 403)
    return 'サーバーの許可が必要です。そのサイトにサインインしてダウンロードし、ここにドロップしてください。';
  return 'サーバーから受け取れませんでした。しばらくしてから試すか、ダウンロードしてここにドロップしてください。';
}

const problems: Words['problems'] = {
  'nothing-given': () => trouble('ファイルがありませんでした。', 'モデル、またはモデルの入ったフォルダーをドロップしてください。'),
  'only-companions': ({ names }) =>
    trouble(
      names.length === 1 ? `${names[0]} はモデルでもモーションでもありません。` : 'これらのファイルの中にモデルもモーションもありません。',
      'モデルに付属するファイルなら、続けてモデルをドロップしてください。いま渡されたファイルは取っておきます。',
    ),
  'needs-file': ({ name, wanted, path }) =>
    trouble(
      `${name} のデータは別のファイルにあります。`,
      `「${wanted.slice(0, MOST_ADDRESS)}」もここにドロップするか、選んでください。${
        path === null
          ? '作られたときには、同じフォルダーにありました。'
          : `モデルには「${path.slice(0, MOST_ADDRESS)}」と書かれていますが、rigcast がそこから取得することはありません。`
      }`,
      'そのファイルを選ぶ',
    ),
  'needs-key': ({ name, wanted, isWrong, length }) =>
    trouble(
      isWrong ? `その鍵では ${name} を開けません。` : `${name} は暗号化されています。`,
      `${length ? `鍵ファイルは 32 バイトですが、渡されたものは ${length} です。` : ''}鍵は小さな別のファイルで、普通は「${wanted}」という名前です。ここにドロップするか、選んでください。モデルも鍵もこのコンピューターの外には出ません。`,
      isWrong ? '別の鍵ファイルを選ぶ' : '鍵ファイルを選ぶ',
    ),
  damaged: ({ name, finding, detail }, meaning: string = '') => {
    const what = [meaning || 'ファイルが壊れています。', beside(detail)].join('');
    const next =
      finding === 'FOREIGN_LAYOUT'
        ? '書き出したプログラムが形式の決まりに従っていません。別のプログラムで保存し直すか、コマンドラインまたはライブラリのオプションで、その並びのまま読んでください。'
        : 'コピーやダウンロードは最後まで終わっていますか。別のコピーで試してください。';
    return trouble(`${name} を読み込めませんでした。`, `${what} ${next}`);
  },
  'not-unpacked': ({ name, entries }) =>
    trouble(
      `${name} の中のファイルは一つも展開できません。`,
      `${leftOut(entries)}。別のプログラムで展開して、ファイルをここにドロップしてください。`,
    ),
  unknown: ({ name, cause, detail }) => {
    const [what, next] = unknownFile[cause] ?? [
      'は rigcast で読めるファイルではありません',
      'rigcast の知っている形式のどれでもありません。ファイルを確かめてください。',
    ];
    return trouble(`${name} ${what}。`, `${next}${beside(detail)}`);
  },
  'none-opens': ({ all }) =>
    trouble(
      `${count(all)} 個のファイルの中に、表示できるモデルもモーションもありません。`,
      'モデル、またはモデルの入ったフォルダーをドロップしてください。',
    ),
  'bad-address': ({ text }) =>
    trouble(`「${text.slice(0, MOST_ADDRESS)}」はアドレスではありません。`, '代わりに、ファイルをこのページにドロップしてください。'),
  'bad-protocol': () => trouble('開けるのは http と https のアドレスだけです。', '代わりに、ファイルをこのページにドロップしてください。'),
  gone: ({ name }) => trouble(`${name} が元の場所にありません。`, '移動、改名、または削除されたようです。もう一度ドロップしてください。'),
  unreachable: ({ name }) =>
    trouble(
      `${name} を取得できませんでした。`,
      'サーバーに接続でき、他のページからの読み込み (CORS) が許可されている必要があります。ダウンロードしてここにドロップしてください。',
    ),
  'not-served': ({ name, status }) => trouble(`${name} を取得できませんでした (${status})。`, reasonOf(status)),
  'not-saved': ({ format, message }) =>
    trouble(`${format} では保存できませんでした。`, `変換できませんでした${beside(message)}。ほかの形式で試してください。`),
  'not-embedded': ({ address }) =>
    trouble(
      '埋め込みコードをコピーしましたが、embed.html はまだこのアドレスを読みません。',
      `embed.html の rigcast-root の行に ${address.slice(0, MOST_ADDRESS)} のフォルダーを追加してください。ページの管理者が追加できます。`,
    ),
  failed: ({ message }) => trouble('うまくいきませんでした。', message),
};

const moreErrors = (more: number): string => (more > 0 ? `ほかに ${count(more)} 件のエラーがあります。` : '');

const advice: Words['advice'] = {
  damage: ({ name, finding, detail, more }, meaning = '') =>
    `${name || 'このファイル'} は壊れていて、一部を表示できません。${meaning || `${detail || finding} `}${moreErrors(more)}場所は「レポート」で確かめられます。`,
  'cut-off': ({ name, size, meshes, more }) =>
    `${name || 'このファイル'} は ${bytes(size)} で途切れています${meshes > 0 ? `。少なくとも ${count(meshes)} 個のメッシュがありません` : ''}。${moreErrors(more)}もう一度コピーまたはダウンロードしてください。失われたものは「レポート」で確かめられます。`,
  'motions-only': ({ name, models }) =>
    `${name} にはモーションだけが入っています。モデル${models.length > 0 ? ` (.${models.join(' または .')})` : ''} を追加でドロップしてください。`,
  'nothing-recorded': ({ name }) => `${name} には何も記録されていません。すべてのカーブが空です。`,
  'moves-nothing': () =>
    'これらのモーションは、このモデルのボーンを一つも動かしません。別のスケルトン用です。対応するモデルをドロップしてください。',
  'another-skeleton': ({ name, found, names }) =>
    `${name} は別のスケルトン用です。動かすボーン ${count(names)} 本のうち、このモデルには ${count(found)} 本あります。モーションの一覧には残してあります。`,
  'comes-over': ({ name, owner }) => `${name} は ${owner} 用です。モーションを選ぶと、このモデルにリターゲットします。`,
  carried: ({ owner, by, bones }) =>
    by === 'hands'
      ? `記録された手が指を動かします (ボーン ${count(bones)} 本)。`
      : `${owner} からリターゲットしました。ボーン ${count(bones)} 本が動きます${by === 'names' ? ' (長さはこのモデルのまま)' : ' (体の部位で対応付け)'}。`,
  'is-added': () => '加算アニメーションのようですが、この形式ではそれを示せません。基本姿勢に加算しています。',
  'looks-additive': () =>
    '加算アニメーションのようですが、保存された値のまま再生しています。体がつぶれることがあります。基本姿勢に加算すれば、つぶれません。',
  stripped: ({ name }) =>
    `${name} は一部のボーンだけを動かします。.config ファイルが一緒にあれば、それもドロップしてください。位置を保つボーンが書かれています。`,
  'lies-down': ({ name }) => `${name} は横になっているようです。頭が足の上にありません。`,
  'missing-files': ({ names }) =>
    `このワールドが配置する ${count(names.length)} 個のファイルがありませんでした: ${some(names)}。ファイル、またはフォルダーをドロップしてください。`,
  'missing-textures': ({ names, isAll }) =>
    `${isAll ? 'テクスチャ' : `${some(names)} のテクスチャ`}が見つかりませんでした。画像、または画像の入ったフォルダーをドロップしてください。`,
  'unmatched-images': ({ images, materials }) =>
    `画像が ${count(images.length)} 枚、テクスチャのないマテリアルが ${count(materials.length)} 個ありますが、名前が対応しません。貼りたい部分の上に画像をドロップするか、「調べる」でマテリアルを選んでください。`,
  'nothing-drawn': ({ name }) => `${name} には表示できるものがありません。`,
  'bare-skeleton': ({ name }) => `${name} にはスケルトンだけがあり、メッシュがありません。モデルをドロップすると姿が見えます。`,
  'stands-still': ({ isSkeleton }) =>
    isSkeleton
      ? 'スケルトンは静止しています。モデルまたはモーションをドロップしてください。'
      : 'モデルは静止しています。モーションを追加でドロップすると動きます。',
  'more-parts': ({ names }) => `このスケルトンを共有するパーツがほかに ${count(names.length)} 個あります: ${some(names)}。`,
  'one-of-many': ({ name, of, hasAnimations }) =>
    `${name} は ${count(of)} 個のモデルの一つです。${hasAnimations ? 'アニメーションがあり、' : ''}頂点が最も多いため、最初に表示しました。N キーで次のモデルに移ります。`,
  'too-many-files': ({ most }) => `最初の ${count(most)} 個のファイルだけを調べました。`,
  'archive-left-out': ({ name, isLarge }) => `${name} は開きませんでした。${isLarge ? '展開すると大きすぎます' : '壊れています'}。`,
  'not-unpacked': ({ name, entries }) =>
    `${name} の中の ${count(entries.length)} 個のファイルを展開できませんでした: ${leftOut(entries)}。開くには、別のプログラムで展開してください。`,
  'too-many-motions': ({ opened, all }) =>
    `モーションファイル ${count(all)} 個のうち、モデルと名前の似ている ${count(opened)} 個を開きました。残りは、そのモデルを表示するか「ファイル」で選ぶと開きます。`,
  unwanted: ({ names, areImages }) =>
    areImages
      ? `${some(names)} を使うマテリアルはありません。貼りたい部分の上にドロップするか、「調べる」でマテリアルを選んでください。`
      : `${some(names)} を必要とするファイルは開かれていません。`,
  'unread-motions': ({ names }) => `${count(names.length)} 個のモーションファイルを読み込めませんでした: ${some(names)}`,
};

const partDoubts: Words['partDoubts'] = {
  'rest-differs': ({ same, common }) => `ボーン ${count(common)} 本のうち ${count(same)} 本が同じ位置`,
  'own-animations': ({ name }) => `${name} に専用のアニメーションあり`,
  'own-textures': ({ name }) => `専用のテクスチャ ${name} あり`,
  alternative: ({ name }) => `${name} と同じボーンを覆います`,
};

const steps: Words['steps'] = {
  opening: ({ name }) => `${name} を開いています…`,
  'looking-at-models': ({ at, of }) => `モデルを調べています (${at}/${of})…`,
  'opening-motions': ({ at, of }) => `モーションを開いています (${at}/${of})…`,
};

export const ja: Words = {
  problems,
  advice,
  steps,
  closed: ({ why, finding, detail }, meaning) =>
    why === 'companion'
      ? 'はモデルに付属するファイルかもしれません。'
      : why === 'motion'
        ? 'はモーションです。モデルも追加してください。'
        : why === 'damaged'
          ? `は読み込めません。${meaning || '壊れています。'}${beside(detail)}`
          : `${unknownFile[finding]?.[0] ?? 'は対応していない形式です'}。${beside(detail)}`,

  // The page
  demoTitle: name => `${name} (デモ)`,
  pageTitle: name => (name ? `${name} – rigcast` : 'rigcast ビューアー'),
  canvas: name =>
    name ? `${name} の 3D 表示。ドラッグまたは矢印キーで回転、プラスとマイナスのキーで拡大縮小します。` : '3D 表示、まだ何もありません',
  demos: 'デモ',
  demoNames: { pip: 'キツネのピップ', tock: 'ロボットのトック', isle: '小さな島', lotl: 'ウーパールーパー', hands: '手を振る' },
  demoKinds: { pip: 'Unreal', tock: 'Cast', isle: 'Cast（ワールド）', lotl: 'VGO アバター', hands: 'MRTK の記録' },
  demoKind: (kind, size) => `${kind}、${bytes(size)}`,
  details: '詳細',
  largePanels: 'パネルを大きく表示',
  toDark: 'ダークに切り替え',
  toLight: 'ライトに切り替え',
  view: '表示',
  open: '開く',
  openFiles: 'ファイルを開く',
  openAnother: '別のファイルを開く',
  hide: '非表示にする',
  close: '閉じる',
  cancel: 'キャンセル',
  loading: '読み込み中',
  dropTitle: 'ここにドロップ',
  dropText: 'モデル、モーション、テクスチャ、フォルダーごとでも',
  contextLost: 'グラフィックスの描画が中断されました。まもなく自動で戻ります。戻らなければページを再読み込みしてください。',
  whatWasFound: '見つかった問題',
  found: (meaning, detail) => `${meaning}${beside(detail)}`,
  atByte: offset => `、バイト ${count(offset)}`,

  // While files are opened
  looking: 'ファイルを調べています…',
  saving: 'ファイルを作っています…',
  drawing: '画像を描いています…',
  filming: '録画しています…',
  pictureSize: 'サイズ',
  transparent: '背景を透明にする',
  withFloor: '床も含める',
  savePng: 'PNG で保存',
  pictureTitle: '画像',
  filmTitle: '動画',
  filmText: 'ウィンドウと同じ大きさで、実時間で録画します。',
  filmTooSlow: (frames, wanted) =>
    `${count(wanted)} フレームのうち ${count(frames)} フレームしか録画できませんでした。この端末では描画が追いつきません。ウィンドウを小さくするか、短い範囲を録画してください。`,
  filmMotion: 'モーションを録画',
  filmTurn: '一周を録画',
  pictureFailed: 'いまは画像を作れません。',
  filmFailed: 'このブラウザーでは録画できませんでした。',
  saveText: 'テキストで保存',
  saveJson: 'JSON で保存',
  linkCopied: 'リンクをコピーしました。',
  embedCopied: '埋め込み用のコードをコピーしました。ページのマークアップに貼り付けてください。',
  tooMuchUnpacked: name => `${name} は展開すると大きすぎます。`,
  savedWhole: 'モデルとモーションは、何も失われずに保存されます。',
  savedWithCosts: '失われるもの、または別の形になるもの:',
  savedMotions: { title: 'モーション', all: 'このモデルに合うすべて', selected: '選んでいるもの', none: 'なし' },
  saveSwitches: {
    meshopt: '数値を圧縮する（meshopt。対応する読み込み側が必要です）',
    webp: '画像を可逆の WebP にする',
    bson: 'JSON の代わりに BSON で書く',
    encrypted: '新しい鍵で暗号化する（鍵も一緒に保存します）',
  },
  heldIsLeft: names =>
    `ファイルに入らないもの: ${names}。この形式には、モデルに取り付けたものを入れる場所がありません。GLB、glTF、VRM には入ります。`,
  heldIsStill: names => `取り付けたままの形でファイルに入り、それ自身のボーンの動きは入らないもの: ${names}。`,
  companyIsLeft: names => `ファイルに入らないもの: モデルの横の ${names}。「ファイル」で選ぶとそのモデルがステージに立ち、保存できます。`,
  saveTo: '形式',
  targets: {
    glb: 'GLB (一つのファイル)',
    gltf: 'glTF (数値と画像は別のファイル)',
    vrm: 'VRM 1.0 (アバター)',
    cast: 'Cast',
    se: 'SEModel と SEAnim',
    psk: 'PSK と PSA (Unreal)',
    psa: 'PSA (モーションだけ)',
    vgo: 'VGO 2.5 (UniVGO のアバター)',
    mrtk: 'MRTK (手の記録)',
    iwer: 'IWER (ヘッドセットなしの WebXR 用)',
    csv: 'CSV (時間ごとのボーンの位置)',
    json: 'JSON (時間ごとのボーンの位置)',
  },
  saveAll: name => `まとめて保存 (${name})`,
  saveFile: (name, size) => `${name} を保存 (${bytes(size)})`,
  amount: (amount, unit) => {
    if (!unit || !(amount > 0)) return '';
    const isSmall = unit === 'metres' && amount < 0.1;
    const number = Number((isSmall ? 1000 * amount : amount).toPrecision(3)).toLocaleString('ja');
    return `(${number} ${isSmall ? 'mm' : (COUNTERS[unit] ?? '個')})`;
  },
  carrying: 'モーションをリターゲットしています…',
  isWorn: (image, material) => `${image} を ${material} に貼りました。`,
  notWorn: (image, material) => `${image} を ${material} に貼れませんでした。`,
  standBeside: name => `${name} をモデルの隣に表示`,
  isBeside: name => `${name} をモデルの隣に表示しました。`,
  standsNowhere: name => `${name} には、モデルの隣に立たせたり取り付けたりできるものがありません。`,
  isGone: name => `${name} を隠しました。`,
  hangs: (model, bone) => `${model} を ${bone} に取り付けました。`,
  addToRest: '基本姿勢に加算',
  addToOther: '元のモーションに加算する',
  addedTo: name => `${name} に加算しました。`,
  standUp: '起こす',
  asItIs: 'ボーンの名前どおりに再生',
  busy: '読み込んでいます…',
  readingAgain: 'モーションを読み直しています…',
  reloading: 'すべて読み直しています…',
  placing: (done, total) => `${count(total)} 個のうち ${count(done)} 個のファイルを配置しました…`,
  isSpoken: '日本語で表示しています。',
  languageMissing: 'その言語を取得できませんでした。',
  demoMissing: status =>
    status === null ? 'デモを取得できませんでした。サーバーに接続できません。' : `デモを取得できませんでした (${status})。`,

  withoutDemo: reason => `${reason}お手元のファイルはそのまま開けます。`,

  // Said aloud
  cancelled: 'キャンセルしました。',
  isShown: (name, motions) => `${name} を開きました。モーションは ${count(motions)} 個です。`,
  motionsAdded: motions => `モーションを ${count(motions)} 個追加しました。`,
  readAgain: '読み直しました。',
  added: 'モデルに追加しました。',

  // Start
  start: 'はじめに',
  startTitle: 'リグをドロップすれば、動き出します。',
  startText: 'モデル、モーション、テクスチャを、まとめてでも、一つずつでも、フォルダーごとでも。',
  stays: 'ファイルがこのコンピューターの外に出ることはありません。',
  reads: formats =>
    `${formats.join('、')} を開き、テクスチャと付属ファイルを探します。ファイルがこのコンピューターの外に出ることはありません。`,
  showDemo: 'デモを見る',
  bringBack: '元に戻す',
  openAgain: (name, more) => (more > 0 ? `${name} と他 ${count(more)} 件をもう一度開く` : `${name} をもう一度開く`),
  lastTime: names => `前回: ${names.join('、')}`,

  // Questions
  openLink: 'リンクを開く',
  openLinkTitle: 'このアドレスを開きますか?',
  openLinkText: 'ファイルに書かれているアドレスです。行き先は rigcast にもわかりません。',
  openTab: '新しいタブで開く',
  doNotOpen: '開かない',

  // Panels
  sharedTitle: '共有されたファイルを開きますか?',
  sharedText: names => `別のアプリまたはページから送られました: ${some(names)}`,
  openShared: '開く',
  release: 'rigcast の新しいバージョンがあります。再読み込みすると、開いているファイルは閉じます。',
  loadRelease: '再読み込み',
  panels: {
    files: 'ファイル',
    recording: '記録',
    motions: 'モーション',
    avatar: '表情',
    notes: 'ノート',
    view: '表示',
    scene: 'シーン',
    morphs: 'モーフ',
    inspect: '調べる',
    report: 'レポート',
  },
  errors: errors => `エラー ${count(errors)} 件`,
  warnings: warnings => `警告 ${count(warnings)} 件`,

  // Files
  fileCount: files => `${count(files)} 個のファイル`,
  motionCount: (own, all) =>
    own === all ? `モーション ${count(all)} 個` : `このモデル用のモーション ${count(own)} 個 (全 ${count(all)} 個)`,
  models: models => `モデル (${count(models)})`,
  motionFiles: files => `モーション (${count(files)})`,
  otherFiles: files => `その他のファイル (${count(files)})`,
  searchFiles: 'ファイルを検索',
  sortBy: '並べ替え',
  orders: { name: '名前', size: 'サイズ', folder: 'フォルダー' },
  noFile: 'その名前のファイルはありません。',
  more: more => `ほかに ${count(more)} 個あります。検索してください。`,
  notOpen: size => `未読み込み、${bytes(size)}`,
  modelFacts: (bones, triangles) =>
    [bones > 0 && `ボーン ${count(bones)}`, triangles > 0 && `三角形 ${count(triangles)}`].filter(Boolean).join(' · '),
  levels: '詳細度（LOD）',
  level: level => `詳細度 ${level}`,
  isDamaged: '破損',
  parts: 'モデルのパーツ',
  partDoubts,
  moreParts: parts => `このスケルトンを共有するパーツがほかに ${count(parts)} 個`,
  addParts: '追加',
  partsAdded: names => `${names} を追加しました。`,
  partsRemoved: names => `${names} を外しました。`,
  undone: '元に戻しました。',
  isClosed: 'すべて閉じました。「元に戻す」で戻せます。',

  // Motions
  movesNothing: 'このモデルでは何も動きません',
  bonesMoved: (moved, bones) => `ボーン ${count(moved)}/${count(bones)}`,
  forThisModel: motions => `このモデル用 (${count(motions)})`,
  showOthers: motions => `ほかのモデル用のモーション ${count(motions)} 個を表示`,
  hideOthers: 'ほかのモデル用のモーションを隠す',
  otherMotions: motions => `その他 (${count(motions)})`,

  bonesFound: (found, names) => `ボーン ${count(names)} 本のうち ${count(found)} 本がここにあります`,

  searchMotions: 'モーションを検索',
  noMotions: 'モーションはまだありません。',
  nothingToMove: 'モーションが動かすのはボーンかモーフですが、これにはどちらもありません。',
  noMotionsText:
    'モーションファイル (.psa、.cast、.seanim、GLB、FBX、BVH) を追加でドロップしてください。ボーンの名前がこのモデルと同じか、どちらも人の体である必要があります。',
  noModelText: 'モデルをモーションと一緒に、またはモーションだけをドロップしてください。.psa と .cast は骨格だけでも表示されます。',
  noSuchMotion: 'その名前のモーションはありません。',
  motionsFound: (found, all) => `モーション ${all} 個のうち ${count(found)} 個`,
  restPose: '基本姿勢',
  asBuilt: 'モデルが作られたときの姿勢',
  noName: '(名前なし)',
  frames: frames => `${frames} フレーム`,
  rate: rate => `${Number(rate.toFixed(2))} fps`,
  clock: (seconds, digits = 2) => `${seconds.toFixed(digits)} 秒`,
  seconds: seconds => `${seconds.toFixed(seconds < 10 ? 1 : 0)} 秒`,
  pose: '姿勢',

  // Timeline
  playback: '再生',
  pause: '一時停止',
  time: '時間',
  speed: '速さ',
  frameOf: (frame, last) => `${frame} / ${last}`,
  secondOf: (time, duration) => `${time} / ${duration} 秒`,
  loops: (isOn, isOfFile) => `: ${isOn ? 'くり返す' : '一回だけ'}${isOfFile ? '（ファイルのとおり）' : ''}`,
  once: '一回だけ',
  rangeEnds: { from: '再生範囲の始まり', to: '再生範囲の終わり' },
  noMotion: 'モーションなし',
  reading: '動かすもの',
  readings: {
    auto: '自動',
    file: 'ファイルのとおり',
    everything: 'すべて (.config に関係なく)',
    'rotation-only': '回転だけ',
    additive: '基本姿勢に加算',
  },
  marker: (name, time) => `${time} のマーカー ${name}`,
  markers: (markers, from, to) => `${from} から ${to} までにマーカー ${count(markers)} 個: 次へ`,
  searchMoments: '名前を検索',
  noSuchMoment: 'その名前のものはありません。',
  notesOf: (notes, motion) => `${motion} の${notes}`,

  // View
  drawnAs: '描き方',
  modes: {
    lit: '陰影あり',
    unlit: '陰影なし',
    clay: 'クレイ',
    normals: '法線',
    uv: 'UV チェッカー',
    colors: '頂点カラー',
    weights: 'ボーンウェイト',
    sections: 'マテリアル別',
  },
  bone: 'ボーン',
  camera: 'カメラ',
  cameras: 'ファイルのカメラ',
  throughCamera: name => `${name} から見る`,
  fieldOfView: '画角',
  light: '光',
  exposure: '露出',
  lightTurn: '光の向き',
  surroundings: '環境光',
  surroundingKinds: { room: '室内', studio: 'スタジオ', day: '昼', evening: '夕方', night: '夜', image: 'パノラマ画像…' },
  background: '背景',
  backgrounds: { page: 'ページと同じ', white: '白', grey: 'グレー', black: '黒', surroundings: '環境を表示' },
  standsWrong: '向きがおかしいとき',
  upAxis: 'ファイルの上方向',
  turnedBy: '回転',
  scale: '倍率',
  plainRoot: 'ルートもほかのボーンと同じ形で保存（Unreal）',
  rigging: 'コンストレイントと IK',
  riggingKinds: { ik: 'IK', constraint: 'コンストレイント' },

  // Layers
  layers: '再生のしかた',
  onTop: '重ねるモーション',
  compareWith: '比べるスケルトン',
  none: 'なし',
  weight: 'ウェイト',
  onlyBelow: 'このボーンから下だけ',
  allBones: 'すべてのボーン',
  topIsAdded: '差分のモーションなので、加算します。',
  topIsMixed: 'ウェイトに応じて混ぜます。',
  topNeedsMotion: '重ねる元のモーションが再生されていません。',

  // Recordings
  recording: {
    hands: { left: '左手', right: '右手' },
    fingers: { thumb: '親指', index: '人差し指', middle: '中指', ring: '薬指', pinky: '小指' },
    bends: ['付け根', '中', '先'],
    notSeen: hand => `${hand}: いまは見えていません。`,
    pinching: 'ピンチ中',
    pinchStrength: (strength, millimetres) => `ピンチの強さ ${strength}、親指と人差し指の間 ${millimetres} mm`,
    apart: (whole, shape) => `もう一方の記録との差は ${whole} mm、手首を重ねると ${shape} mm です。`,
    compare: '比べる記録',
    dropAnother: '比べるには、もう一つの記録をこのページにドロップしてください。',
    shift: '比べる記録をずらす',
    ahead: seconds => `${seconds} 秒`,
    isNone: name => `${name} は比べられる記録ではありません。`,
  },
  fingertips: '指先の軌跡',
  noMarkers: 'マーカーはありません。',
  handLetters: { left: 'L', right: 'R' },
  pinch: number => `ピンチ ${number}`,
  lasting: time => `${time}間`,
  seenFor: (time, share, pieces) => `${time}間${share} 見えていました${pieces > 1 ? ` (${count(pieces)} 回に分けて)` : ''}`,
  neverSeen: '一度も見えていません。',
  neverPinched: 'ピンチはありませんでした。',
  span: (from, to) => `${from} から ${to}`,
  hand: (hand, seen, pinching) =>
    `${hand === 'left' ? '左手' : '右手'}: ${seen ? `見えている時間 ${seen} 秒` : '一度も見えていません'}。${pinching ? `ピンチの時間 ${pinching} 秒` : 'ピンチはありません'}`,

  // Scene
  looks: {
    sky: 'ファイルの空',
    lamps: 'ファイルのライト',
    colliders: 'コライダーの輪郭',
    lights: 'ライトの輪郭',
    particles: 'パーティクルエミッターの輪郭',
  },
  presets: {
    neutral: '標準',
    happy: '喜び',
    angry: '怒り',
    sad: '悲しみ',
    relaxed: 'リラックス',
    surprised: '驚き',
    blink: 'まばたき',
    blinkLeft: '左目を閉じる',
    blinkRight: '右目を閉じる',
    aa: '口: あ',
    ih: '口: い',
    ou: '口: う',
    ee: '口: え',
    oh: '口: お',
  },
  expressions: '表情',
  relax: '表情を戻す',
  avatar: {
    mix: '表情を組み合わせる',
    life: '自然なしぐさ',
    look: '視線がポインターを追う',
    head: '頭も一緒に向ける',
    blink: 'まばたき',
    idle: '再生していないときに呼吸する',
  },
  swinging: '揺れもの',
  springRules: { title: '揺れ方', unity: 'UniVGO と同じ', vrm: 'VRM と同じ' },
  springBones: 'スプリングボーン',
  backToRest: '静止状態に戻す',
  show: '表示するもの',
  rightsTo: name => `${name} の権利`,
  rightsToQuoted: name => `「${name}」の権利`,
  authorAndRights: '作者と権利',
  moreRights: more => `ほかに ${count(more)} 個のパーツの権利`,
  asksFirst: '開く前に確認します',
  particles: 'パーティクル',
  particlesText: 'ファイルの設定どおりに動きます。再生されない設定はレポートに表示されます。',
  andMore: more => `ほかに ${count(more)} 個`,

  // Morphs
  searchMorphs: 'モーフを検索',
  setAllToZero: 'すべて 0 にする',
  noMorphs: 'このモデルにモーフターゲットはありません。',
  noSuchMorph: 'その名前のモーフはありません。',
  firstMorphs: (most, all) => `モーフ ${count(all)} 個のうち最初の ${most} 個です。ほかは検索してください。`,

  // Inspect
  noParts: '表示するものはまだありません。',
  triangleCount: triangles => `三角形 ${count(triangles)}`,
  inspect: {
    what: '調べるもの',
    stage: 'ステージにあるもの',
    bytesOf: name => `${name} のバイト列`,
    search: '名前で検索',
    nothingFound: 'その名前のものはありません。',
    details: '詳しい内容',
    reading: 'ファイルを読み直しています…',
    noOutline: 'この形式では、ステージにあるものだけを調べられます。',
    fileIsGone: 'ファイルを読めなくなりました。もう一度ドロップしてください。',
    groups: {
      meshes: 'メッシュ',
      bones: 'ボーンとノード',
      materials: 'マテリアル',
      images: '画像',
      motions: 'モーション',
      expressions: '表情',
      lights: 'ライト',
      cameras: 'カメラ',
      references: '参照している他のファイル',
    },
    motionsOf: name => `${name} のモーション`,
    shows: name => `${name} を表示`,
    moreProperties: 'ほかにもあります',
    yes: 'はい',
    no: 'いいえ',
    kind: '種類',
    name: '名前',
    id: '識別子',
    hash: 'ハッシュ',
    parts: '部分',
    bytes: size => `${count(size)} バイト`,
    bytesFrom: (from, to) => `バイト 0x${from} ～ 0x${to}`,
    bytesBefore: '前のバイト',
    bytesAfter: '次のバイト',
    showBytes: 'ファイルの中の場所を見る',
    hang: '取り付けるモデル',
    hangText: 'これと一緒に動きます。このモデルを GLB、glTF、VRM で保存するとそれにも入ります。',
    boundTo: 'バインド先',
    bones: bones => `ボーン ${count(bones)} 本`,
    uvSets: 'UV セット',
    colors: '頂点カラー',
    attributes: '属性',
    below: '親',
    placeNow: 'いまの位置',
    turnNow: 'いまの回転',
    scaleNow: 'いまのスケール',
    placeAtRest: '基本姿勢の位置',
    turnAtRest: '基本姿勢の回転',
    scaleAtRest: '基本姿勢のスケール',
    inScene: 'シーン内の位置',
    segmentScale: '親のスケールを受けない',
    model: 'シェーディング',
    color: '色',
    glow: '発光',
    slot: '画像の用途',
    slots: {
      baseColor: '色',
      normal: '法線',
      emissive: '発光',
      orm: '遮蔽・粗さ・金属度',
      roughness: '粗さ',
      metallic: '金属度',
      occlusion: '遮蔽',
      opacity: '不透明度',
    },
    putImage: '画像を貼る…',
    metalness: '金属度',
    roughness: '粗さ',
    alpha: '透過',
    alphaModes: { opaque: '不透明', mask: '切り抜き', blend: '半透明', add: '加算', multiply: '乗算' },
    side: '描く面',
    sides: { front: '表', back: '裏', both: '両面' },
    kept: '保存場所',
    inFile: 'ファイルの中',
    besideFile: 'ファイルの外',
    frames: 'フレーム',
    tracks: 'トラック',
    moves: '動かすもの',
    keys: keys => `キー ${count(keys)} 個`,
    keysLabel: 'キー',
    curve: (what, keys) => `${what} (キー ${count(keys)} 個)`,
    interpolation: '補間',
    mode: 'モード',
    override: 'モードの上書き',
    overridden: (mode, node, what, isSelf) => `${node} ${isSelf ? 'とその下' : 'の下'}の ${what} は ${mode}`,
    at: '場所',
    mesh: 'メッシュ',
    intensity: '強さ',
    range: '届く距離',
    shines: '点灯',
    nearFar: '見える範囲',
    isNeeded: '必須',
    isThere: '見つかった',
  },

  // Report
  verdicts: {
    error: '読み込めなかった部分があります。',
    warning: '使えますが、警告があります。',
    info: '問題ありません (備考あり)。',
    ok: '問題ありません。',
  },
  noReport: 'まだ何も開いていません。',
  remarks: remarks => `備考 ${count(remarks)} 件`,
  moreFindings: 'このほかにも見つかっています。',
  finding: { here: '内容', code: 'コード', byte: 'バイト位置', path: '場所', times: '回数', help: '対処のしかた' },
  facts: {
    length: '長さ',
    markers: 'マーカー',
    vertices: '頂点',
    triangles: '三角形',
    bones: 'ボーン',
    materials: 'マテリアル',
    morphs: 'モーフ',
    size: 'サイズ',
    motions: 'モーション',
    instances: 'インスタンス',
    ofFiles: '元のファイル数',
  },
  partOf: name => `${name} のパーツ`,
  hangsOn: bone => `${bone} に取り付け`,
  standsBeside: 'モデルの横に表示',
  placedBy: name => `${name} が配置`,
  motionHere: name => `このモーションをこのモデルで再生した結果 (${name})`,
  rights: {
    title: 'タイトル',
    author: '作者',
    organization: '組織',
    version: 'バージョン',
    createdDate: '作成日',
    updatedDate: '更新日',
    distributionUrl: '配布場所',
    licenseUrl: 'ライセンス',
    copyright: '著作権',
    generator: '書き出したプログラム',
  },

  // Commands
  commands: {
    save: { title: '別の形式で保存…', help: '表示中のものを GLB や Cast などで保存' },
    play: { title: '再生', help: '再生、一時停止' },
    stepBack: { title: '1 フレーム戻る', help: 'Shift で 10 フレーム' },
    stepOn: { title: '1 フレーム進む', help: 'Shift で 10 フレーム' },
    toStart: { title: '始めへ', help: '' },
    toEnd: { title: '終わりへ', help: '' },
    rangeFrom: { title: 'ここから再生', help: '再生範囲の始まりをここにする' },
    rangeTo: { title: 'ここまで再生', help: '再生範囲の終わりをここにする' },
    rangeAll: { title: 'すべて再生', help: '再生範囲を解除' },
    unit: { title: 'フレームまたは秒', help: '' },
    mode: { title: '描き方', help: 'クレイ、法線、UV チェッカー、ウェイトなど' },
    bounds: { title: 'バウンディングボックス', help: '' },
    rigging: { title: 'コンストレイントと IK の線', help: '' },
    front: { title: '正面から', help: '', label: '正面' },
    right: { title: '右から', help: '', label: '右' },
    top: { title: '上から', help: '', label: '上' },
    opposite: { title: '反対側から', help: '', label: '反対' },
    focus: { title: 'ボーンを見る', help: 'ボーンがなければモデル全体', label: 'フォーカス' },
    flat: { title: '平行投影', help: '遠近感をなくす' },
    trail: { title: 'ボーンの軌跡', help: 'クリックしたボーンの軌跡' },
    next: { title: '次のモーション', help: '前、次のモーション' },
    model: { title: '次のモデル', help: '次、前のモデル' },
    undo: { title: '元に戻す', help: '開く・閉じるを元に戻す', label: '元に戻す' },
    reload: { title: 'ディスクから読み直す', help: '書き出し直したあとに。モデルとモーションはそのまま', label: '読み直す' },
    close: { title: 'すべて閉じる', help: '', label: 'すべて閉じる' },
    reset: { title: '全体を表示', help: '全体を表示' },
    bones: { title: 'スケルトン', help: 'スケルトン。ボーンをクリックすると名前が出ます' },
    names: { title: 'ボーンと関節の名前', help: '' },
    axes: { title: 'ボーンと関節の軸', help: 'X 赤、Y 緑、Z 青' },
    sockets: { title: 'ソケット', help: '帽子や武器を付けるためにファイルが示す場所' },
    wire: { title: 'ワイヤーフレーム', help: 'ワイヤーフレーム' },
    colors: { title: '頂点カラー', help: '頂点カラー' },
    grid: { title: 'グリッド', help: 'グリッド' },
    loop: { title: 'ループ再生', help: 'ループ再生' },
    lock: { title: 'ルートを動かさない', help: 'ルートを動かさない' },
    trails: { title: '軌跡', help: '記録: 軌跡' },
    camera: { title: '記録されたカメラから見る', help: '記録: 記録されたカメラから見る' },
    leave: { title: '記録されたカメラから離れる', help: '' },
    open: { title: 'ファイルを開く', help: 'ファイルを開く', label: '開く' },
    folder: { title: 'フォルダーを開く', help: '', label: 'フォルダー' },
    picture: { title: '画像を保存', help: 'または録画' },
    embed: { title: '埋め込みコードをコピー', help: 'すべてアドレスから開いた場合' },
    swap: { title: '比較中のモーションと入れ替える', help: '' },
    link: { title: 'この表示へのリンクをコピー', help: 'すべてアドレスから開いた場合' },
    theme: { title: 'ライト・ダークの切り替え', help: '' },
    language: { title: '言語', help: 'English、日本語' },
    help: { title: 'キーとヘルプ', help: '' },
  },
  colorLayer: (layer, layers) => `、レイヤー ${layer}/${layers}`,
  keys: '操作の一覧',
  searchCommands: '検索',
  noSuchCommand: '該当する操作はありません。',
  keyNames: {
    ' ': 'スペース',
    arrowleft: '←',
    arrowright: '→',
    arrowup: '↑',
    arrowdown: '↓',
    home: 'Home',
    end: 'End',
    escape: 'Esc',
    'ctrl+z': 'Ctrl Z',
  },
  fingers: 'ドラッグで回転、二本指で移動、ピンチで拡大縮小。ボーンをタップすると名前が出ます。',
  mouse:
    'ドラッグで回転、右ドラッグ (または二本指) で移動、ホイールまたはピンチで拡大縮小。画像にフォーカスがあるときは、矢印キーで回転、+ と − で拡大縮小します。',
};
