// All Japanese texts of the viewer. Findings are in jaFindings.ts, losses in jaLosses.ts.
// The `detail` of a finding comes from the library in English and is shown in brackets.
import type { SkippedEntry } from '../../session/notices.ts';
import { bytes, count } from '../dom.ts';
import type { Trouble, Words } from './en.ts';

const some = (names: readonly string[]): string =>
  names.slice(0, 3).join('、') + (names.length > 3 ? `、ほか ${count(names.length - 3)} 個` : '');

/** Japanese counter words for the amounts in a conversion report, by unit. Other units use 個. */
const COUNTERS: Readonly<Record<string, string>> = { metres: 'm', seconds: '秒', degrees: '度', errors: '件', bones: '本', hands: '本' };

/** Maximum number of characters of a URL that are shown. */
const MAX_ADDRESS = 200;

/** Appends the English detail of a finding to a sentence. */
const beside = (detail: string): string => (detail ? ` (${detail})` : '');

const trouble = (title: string, next: string, action = ''): Trouble => ({ title, next, action });

const methods: Record<number, string> = { 9: 'Deflate64', 12: 'BZIP2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ', 98: 'PPMd' };

const reasonLeftOut = ({ why, method }: SkippedEntry): string =>
  ({ encrypted: '暗号化', method: `圧縮方式 ${methods[method] ?? method}`, large: 'ZIP64', damaged: '破損' })[why];

/** Lists the skipped files of an archive with the reasons. */
const leftOut = (entries: readonly SkippedEntry[]): string => some(entries.map(entry => `${entry.name} (${reasonLeftOut(entry)})`));

const NOT_WHOLE = 'ダウンロードかコピーが最後まで終わっていません。もう一度入手してください。';

/** Texts by finding code: the actual content of the file, and an instruction. */
const unknownFile: Record<string, [what: string, next: string]> = {
  EMPTY_FILE: ['は空のファイルです', NOT_WHOLE],
  ALL_ZEROS: ['の中身は空です', NOT_WHOLE],
  HTML_PAGE: ['はモデルではなくウェブページです', 'アドレスの先がファイルではなくページになっています。'],
};

function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'そのファイルはサーバーにありません。アドレスを確かめてください。';
  if (status === 401 || status === 403)
    return 'サーバーへのサインインが必要です。サインインしてダウンロードし、ここにドロップしてください。';
  return 'サーバーに拒否されました。しばらくしてから試すか、ダウンロードしてここにドロップしてください。';
}

const problems: Words['problems'] = {
  'no-files': () => trouble('ファイルが見つかりませんでした。', 'モデル、またはモデルの入ったフォルダーをドロップしてください。'),
  'only-companions': ({ names }) =>
    trouble(
      names.length === 1
        ? `${names[0]} はモデルでもアニメーションでもありません。`
        : 'これらのファイルの中に、モデルもアニメーションもありません。',
      'モデルに付属するファイルなら、続けてモデルをドロップしてください。このファイルは保持されます。',
    ),
  'needs-file': ({ name, wanted, path }) =>
    trouble(
      `${name} には別のファイル「${wanted.slice(0, MAX_ADDRESS)}」が必要です。`,
      `そのファイルもここにドロップするか、選んでください。${
        path === null
          ? '元は同じフォルダーにありました。'
          : `モデルでの参照先は「${path.slice(0, MAX_ADDRESS)}」ですが、ウェブページからは開けません。`
      }`,
      'ファイルを選ぶ',
    ),
  'needs-key': ({ name, wanted, isWrong, length }) =>
    trouble(
      isWrong ? `この鍵では ${name} を復号できません。` : `${name} は暗号化されています。`,
      `${length ? `鍵ファイルは 32 バイトですが、このファイルは ${length} です。` : ''}鍵は小さな別のファイルで、普通は「${wanted}」という名前です。ここにドロップするか、選んでください。モデルも鍵も、このコンピューターの外には出ません。`,
      isWrong ? '別の鍵ファイルを選ぶ' : '鍵ファイルを選ぶ',
    ),
  damaged: ({ name, finding, detail }, meaning: string = '') => {
    const what = [meaning || 'ファイルが壊れています。', beside(detail)].join('');
    const next =
      finding === 'FOREIGN_LAYOUT'
        ? 'ファイルを書いたプログラムが形式の仕様に従っていません。別のプログラムで書き出すか、rigcast のコマンドラインで layout オプションを使って開いてください。'
        : 'コピーやダウンロードが最後まで終わっているか確かめるか、別のコピーで試してください。';
    return trouble(`${name} を読み込めませんでした。`, `${what} ${next}`);
  },
  'not-unpacked': ({ name, entries }) =>
    trouble(
      `${name} を展開できません。`,
      `飛ばしたファイル: ${leftOut(entries)}。別のプログラムで展開して、ファイルをここにドロップしてください。`,
    ),
  unknown: ({ name, cause, detail }) => {
    const [what, next] = unknownFile[cause] ?? ['は rigcast では読み込めません', '対応していない形式です。ファイルを確かめてください。'];
    return trouble(`${name} ${what}。`, `${next}${beside(detail)}`);
  },
  'none-readable': ({ all }) =>
    trouble(`${count(all)} 個のファイルは、どれも表示できません。`, 'モデル、またはモデルの入ったフォルダーをドロップしてください。'),
  'invalid-url': ({ text }) =>
    trouble(`「${text.slice(0, MAX_ADDRESS)}」は正しいアドレスではありません。`, '代わりに、ファイルをここにドロップしてください。'),
  'unsupported-protocol': () =>
    trouble('開けるのは http と https のアドレスだけです。', '代わりに、ファイルをここにドロップしてください。'),
  'file-missing': ({ name }) => trouble(`${name} は移動または削除されました。`, 'ファイルをもう一度ドロップしてください。'),
  unreachable: ({ name }) =>
    trouble(
      `${name} をダウンロードできませんでした。`,
      'サーバーに接続できないか、他のサイトからの読み込み (CORS) が許可されていません。自分でダウンロードしてから、ここにドロップしてください。',
    ),
  'download-failed': ({ name, status }) => trouble(`${name} をダウンロードできませんでした (HTTP ${status})。`, reasonOf(status)),
  'save-failed': ({ format, message }) =>
    trouble(
      `${format} では保存できませんでした。`,
      `変換できませんでした${beside(message.replace(/。$/, ''))}。ほかの形式で試してください。`,
    ),
  failed: ({ message }) => trouble('問題が発生しました。', message),
};

const moreErrors = (more: number): string => (more > 0 ? `ほかに ${count(more)} 件のエラーがあります。` : '');

const advice: Words['advice'] = {
  damage: ({ name, finding, detail, more }, meaning = '') =>
    `${name || 'このファイル'} は壊れているため、一部が欠けています。${meaning || `${detail || finding} `}${moreErrors(more)}詳細は「レポート」を確認してください。`,
  truncated: ({ name, size, meshes, more }) =>
    `${name || 'このファイル'} は不完全です。${bytes(size)} で途切れて${meshes > 0 ? `いて、少なくとも ${count(meshes)} 個のメッシュがありません` : 'います'}。${moreErrors(more)}ファイルをもう一度コピーまたはダウンロードしてください。欠けているものは「レポート」に表示されます。`,
  'animations-only': ({ name, models }) =>
    `${name} にはアニメーションだけが入っています。モデル${models.length > 0 ? ` (.${models.join(' または .')})` : ''} を追加でドロップしてください。`,
  'empty-recording': ({ name }) => `${name} は空の記録です。キーのあるカーブがありません。`,
  'no-matching-bones': () => 'これらのアニメーションは、このモデルのどのボーンにも対応しません。対応するモデルをドロップしてください。',
  'different-skeleton': ({ name, found, names }) =>
    `${name} は別のスケルトン用です。そのボーン ${count(names)} 本のうち、このモデルには ${count(found)} 本しかありません。「アニメーション」の一覧から再生はできます。`,
  retargetable: ({ name, madeFor }) => `${name} は ${madeFor} 用です。「アニメーション」の一覧で選ぶと、このモデルにリターゲットします。`,
  retargeted: ({ madeFor, method, bones }) =>
    method === 'hands'
      ? `記録された手がこのモデルの指を動かします (ボーン ${count(bones)} 本)。`
      : method === 'none'
        ? `このアニメーションは ${madeFor} 用です。対応するボーンが見つかりません。ボーンマップで選んでください。`
        : `このアニメーションは ${madeFor} 用で、${method === 'names' ? 'ボーンの名前' : '体の部位'}に基づいてリターゲットしています (ボーン ${count(bones)} 本)。`,
  'treated-as-additive': () =>
    '加算アニメーションのようなので、基本姿勢に加算して再生しています。この形式では、加算アニメーションであることを明示できません。',
  'looks-additive': () => '加算アニメーションのようです。普通のアニメーションとして再生すると、モデルがつぶれることがあります。',
  'missing-tracks': ({ name }) =>
    `${name} には一部のボーンのキーがないようで、モデルがつぶれることがあります。一緒に書き出された .config ファイルがあれば、それもドロップしてください。`,
  'lying-down': ({ name }) => `${name} は横になっているようです。頭が足の上にありません。`,
  'missing-files': ({ names }) =>
    `このシーンのファイルが ${count(names.length)} 個ありません: ${some(names)}。そのファイル、またはファイルの入ったフォルダーをドロップしてください。`,
  'missing-textures': ({ names, isAll }) =>
    `${isAll ? 'このモデル' : some(names)} のテクスチャが見つかりません。画像、または画像の入ったフォルダーをドロップしてください。`,
  'unmatched-images': ({ images, materials }) =>
    `使われていない画像が ${count(images.length)} 枚、テクスチャのないマテリアルが ${count(materials.length)} 個あります。名前が一致しません。`,
  'nothing-to-draw': ({ name }) => `${name} には表示できるものがありません。`,
  'skeleton-only': ({ name }) => `${name} にはスケルトンがありますが、メッシュがありません。対応するモデルをドロップしてください。`,
  'no-animations': ({ isSkeleton }) =>
    isSkeleton
      ? 'このスケルトンにはアニメーションがありません。アニメーション、またはモデルをドロップしてください。'
      : 'このモデルにはアニメーションがありません。ドロップすると動きます。',
  'available-parts': ({ names }) =>
    `同じスケルトンのファイルがほかに ${count(names.length)} 個あり、このモデルのパーツかもしれません: ${some(names)}。`,
  'several-models': ({ name, of, hasAnimations }) =>
    `${count(of)} 個のモデルを開きました。${hasAnimations ? 'アニメーションがあり、' : ''}頂点が最も多い ${name} を最初に表示しています。N キーで次のモデルを表示します。`,
  'too-many-files': ({ maxFiles }) => `最初の ${count(maxFiles)} 個のファイルだけを読み込みの対象にしました。`,
  'archive-skipped': ({ name, isLarge }) => `${name} は${isLarge ? '展開すると大きすぎる' : '壊れている'}ため、飛ばしました。`,
  'not-unpacked': ({ name, entries }) =>
    `${name} の中の ${count(entries.length)} 個のファイルを展開できませんでした: ${leftOut(entries)}。開くには、書庫を別のプログラムで展開してください。`,
  'too-many-animations': ({ opened, all }) =>
    `アニメーションファイル ${count(all)} 個のうち、名前がモデルに似た ${count(opened)} 個だけを開きました。ほかのファイルは「ファイル」で選ぶと開きます。`,
  'unused-companions': ({ names, areImages }) =>
    areImages
      ? `${some(names)} を使うマテリアルはありません。画像をマテリアルに割り当てるか、モデルの上にドロップしてください。`
      : `${some(names)} を使うファイルは開かれていません。`,
  'unreadable-animations': ({ names }) => `${count(names.length)} 個のアニメーションファイルを読み込めませんでした: ${some(names)}。`,
};

const partDoubts: Words['partDoubts'] = {
  'rest-differs': ({ same, common }) => `共通のボーン ${count(common)} 本のうち、同じ位置は ${count(same)} 本だけ`,
  'own-animations': ({ name }) => `専用のアニメーションあり: ${name}`,
  'own-textures': ({ name }) => `専用のテクスチャあり: ${name}`,
  alternative: ({ name }) => `${name} の代わりになる可能性あり: 同じボーンを覆います`,
};

const steps: Words['steps'] = {
  opening: ({ name }) => `${name} を開いています…`,
  'reading-models': ({ at, of }) => `モデルを読み込んでいます (${at}/${of})…`,
  'opening-animations': ({ at, of }) => `アニメーションファイルを開いています (${at}/${of})…`,
};

export const ja: Words = {
  problems,
  advice,
  steps,
  closed: ({ why, finding, detail }, meaning) =>
    why === 'companion'
      ? 'はモデルではありません。モデルに付属するファイルかもしれません。'
      : why === 'animation'
        ? 'はアニメーションです。モデルもドロップしてください。'
        : why === 'damaged'
          ? `は読み込めません。${meaning || '壊れています。'}${beside(detail)}`
          : `${unknownFile[finding]?.[0] ?? 'は対応していない形式です'}。${beside(detail)}`,

  // The page
  demoTitle: name => `デモ: ${name}`,
  pageTitle: name => (name ? `${name} – rigcast` : 'rigcast ビューアー'),
  canvas: name =>
    name
      ? `${name} の 3D 表示。ドラッグまたは Alt と矢印キーで回転、プラスとマイナスのキーで拡大縮小します。`
      : '3D 表示、まだ何もありません',
  demos: 'デモ',
  demoNames: { pip: 'キツネのピップ', tock: 'ロボットのトック', isle: '小さな島', lotl: 'ウーパールーパー', hands: '手を振る' },
  demoKinds: { pip: 'Unreal', tock: 'Cast', isle: 'Cast シーン', lotl: 'VGO アバター', hands: 'MRTK の記録' },
  demoKind: (kind, size) => `${kind}、${bytes(size)}`,
  panelArea: 'パネル',
  resizePanels: 'パネルの大きさを変える',
  darkTheme: 'ダークテーマ',
  lightTheme: 'ライトテーマ',
  view: '表示',
  pageCommands: 'コマンド',
  menu: 'メニュー',
  openFiles: 'ファイルを開く',
  openAnother: '別のファイルを開く',
  dismiss: '閉じる',
  close: '閉じる',
  cancel: 'キャンセル',
  loading: '読み込み中',
  dropTitle: 'ドロップして開く',
  dropText: 'モデル、アニメーション、テクスチャ、フォルダーごとでも',
  contextLost:
    'ブラウザーがグラフィックスカードを使えなくなったため、表示を復元しています。何も表示されないときは、ページを再読み込みしてください。',
  whatWasFound: '見つかった問題',
  found: (meaning, detail) => `${meaning}${beside(detail)}`,
  atByte: offset => `、バイト ${count(offset)}`,

  // While files are opened
  scanning: 'ファイルを調べています…',
  saving: '保存しています…',
  rendering: 'レンダリングしています…',
  transparent: '背景を透明にする',
  includeFloor: '床を含める',
  savePng: 'PNG で保存',
  pictureFailed: '画像をレンダリングできませんでした。',
  capture: { kind: '画像または動画', picture: '画像', video: '動画', pixelsOf: (width, height) => `${width} × ${height} ピクセル` },
  video: {
    title: '動画を保存',
    content: '内容',
    contents: { animation: 'アニメーション', turntable: 'ターンテーブル', both: 'アニメーションとターンテーブル' },
    range: '範囲',
    ranges: { selected: '選択した範囲', whole: 'アニメーション全体' },
    turnSeconds: '一周の秒数',
    format: '形式',
    formats: { mp4: 'MP4（H.264）', webm: 'WebM', gif: 'アニメーション GIF', png: 'PNG 連番画像（ZIP）' },
    noEncoder: 'このブラウザーは、この大きさの MP4 と WebM をエンコードできません。GIF または PNG 連番画像を選んでください。',
    noMp4: 'このブラウザーは、この大きさの MP4 をエンコードできません。',
    noWebm: 'このブラウザーは、この大きさの WebM をエンコードできません。',
    frameRate: 'フレームレート（fps）',
    size: '大きさ',
    viewSize: size => `${size}（3D 表示）`,
    customSize: 'カスタム',
    pixels: 'ピクセル',
    width: '幅（ピクセル）',
    height: '高さ（ピクセル）',
    summary: (frames, seconds, width, height) => `${count(frames)} フレーム、${seconds.toFixed(2)} 秒、${width} × ${height} ピクセル`,
    tooLong: (frames, limit) =>
      `動画は ${count(frames)} フレームになります。上限は ${count(limit)} フレームです。フレームレートを下げるか、範囲を短くしてください。`,
    render: '動画をレンダリング',
    frame: (index, of) => `フレーム ${count(index)} / ${count(of)}`,
    ready: '動画ができました。',
    failed: reason => `動画をレンダリングできませんでした。${reason}`,
    back: '設定を変更',
  },
  saveText: 'テキストで保存',
  saveJson: 'JSON で保存',
  share: {
    localText:
      'このパソコンにあるファイルは、ほかの人には開けません。ファイルを Web サーバーにアップロードしてから、その URL を入力してください。',
    demoText: 'これはデモです。自分のモデルを共有するには、ファイルを Web サーバーにアップロードしてから、その URL を入力してください。',
    modelAddress: 'モデルの URL',
    otherAddresses: 'アニメーションとテクスチャの URL (空白で区切る)',
    invalidAddress: 'https:// または http:// で始まる URL を入力してください。',
    kind: '共有の形式',
    kinds: { link: 'リンク', iframe: 'HTML の iframe', tag: 'HTML の <rigcast-viewer> タグ', markdown: 'Markdown のリンク' },
    hints: {
      link: 'このビューアーでファイルを開きます。',
      iframe: 'スクリプトは使えないがフレームは使える、ウィキやフォーラムなどのページ用です。',
      tag: '自分の Web ページ用です。ファイルのサーバーとこのサーバーが、ほかのサイトからの読み込み (CORS) を許可している必要があります。',
      markdown: 'README、フォーラム、チャットに貼るための、このビューアーへのリンクです。',
    },
    code: '共有するテキスト',
    copy: 'コピー',
    copied: 'コピーしました。',
    copyFailed: 'ここではブラウザーがコピーを許可していません。選択されたテキストを自分でコピーしてください。',
    unreadable: address =>
      `${address} を読み込めませんでした。URL を確認してください。サーバーが、ほかのサイトからの読み込み (CORS) を許可している必要があります。`,
    embeddingNotAllowed: address =>
      `このフレームは、まだファイルを読み込めません。読み込むのは、所有者が許可したフォルダーのファイルだけです。所有者は embed.html の rigcast-root の行に ${address} のフォルダーを追加できます。`,
  },
  tooLargeToUnpack: name => `${name} は展開すると大きすぎます。`,
  nothingLost: '保存で失われるものはありません。',
  lostOrConverted: '保存で失われるもの、変わるもの:',
  saveAnimations: { title: 'アニメーション', all: 'このモデル用のものすべて', selected: '選択中のもの', none: 'なし' },
  saveSwitches: {
    merge: 'すべてのパーツを 1 つのスケルトンの 1 ファイルにまとめる',
    loop: 'アニメーションをループに切り出す',
    'in-place': 'その場で再生 (移動を取り除く)',
    'lock-heading': '向きを固定 (体の回転を取り除く)',
    meshopt: 'meshopt で圧縮 (開けないソフトもあります)',
    webp: '画像を可逆 WebP に変換',
    bson: 'JSON の代わりに BSON で書く',
    'root-bone': 'ボーンがない場合はルートボーンを追加 (Unreal Engine 3 用)',
    v10: 'バージョン 10 で書く (開けるソフトは少数です)',
    gzip: 'GZIP で圧縮',
    encrypted: '暗号化 (新しい鍵ファイルも保存)',
  },
  attachedOmitted: names => `含まれないもの: ${names}。取り付けたモデルを入れられるのは GLB、glTF、VRM だけです。`,
  attachedNotAnimated: names => `含まれるが、ボーンのアニメーションはないもの: ${names}。`,
  otherModelsOmitted: names =>
    `含まれないもの: ${names}。保存されるのは主なモデルだけです。別のモデルを保存するには、先に「ファイル」で選んでください。`,
  saveFormat: '形式',
  targets: {
    glb: 'glTF バイナリー (.glb)',
    gltf: 'glTF + .bin + 画像',
    vrm: 'VRM 1.0 (アバター)',
    cast: 'Cast',
    se: 'SEModel と SEAnim',
    psk: 'PSK と PSA (Unreal)',
    psa: 'PSA (アニメーションだけ)',
    uemodel: 'UEFormat (.uemodel と .ueanim)',
    vgo: 'VGO 2.5 (UniVGO のアバター)',
    mrtk: 'MRTK (手の記録)',
    iwer: 'IWER (ヘッドセットなしの WebXR 用)',
    csv: 'CSV (ボーン位置の時系列)',
    json: 'JSON (ボーン位置の時系列)',
  },
  readers: {
    glb: 'Blender、Unreal、Godot、three.js など、ほとんどのソフトで開ける一つのファイルです。',
    gltf: 'GLB と同じ内容を、別々に編集できる複数のファイルに分けます。',
    vrm: 'VRM 1.0 を読むアバターアプリで使えます。',
    cast: 'Blender と Maya の Cast アドオンで開けます。',
    se: 'Blender と Maya の SE アドオンで開けます。',
    psk: 'Blender の PSK アドオンと 3ds Max の ActorX インポーターで開けます。',
    psa: 'Blender の PSK アドオンと 3ds Max の ActorX インポーターで開けます。',
    uemodel: 'Blender の UEFormat アドオンで開けます。',
    vgo: 'Unity の UniVGO で開けます。',
    mrtk: 'Unity の MRTK の入力再生で使えます。',
    iwer: 'ヘッドセットなしのブラウザーで WebXR のページに使えます。',
    csv: '表計算や Python で使えます。',
    json: '自作のプログラムで使えます。',
  },
  savedFile: name => `${name} をダウンロードに保存しました。`,
  saveAll: name => `すべてを ${name} に保存`,
  saveFile: (name, size) => `${name} を保存 (${bytes(size)})`,
  amount: (amount, unit) => {
    if (!unit || !(amount > 0)) return '';
    const isSmall = unit === 'metres' && amount < 0.1;
    const number = Number((isSmall ? 1000 * amount : amount).toPrecision(3)).toLocaleString('ja');
    return `(${number} ${isSmall ? 'mm' : (COUNTERS[unit] ?? '個')})`;
  },
  retargeting: 'リターゲットしています…',
  matching: {
    title: '画像の割り当て',
    button: '割り当て…',
    about: 'テクスチャスロットを選び、次に画像を選んでください。モデルにすぐ反映されます。',
    slots: 'テクスチャスロット',
    images: '画像',
    search: '画像を検索',
    allImages: '使用中の画像も表示',
    noImages: 'すべての画像が使われています。',
    none: '画像なし',
    fromFile: 'ファイルのテクスチャ',
    used: '使用中',
    notDrawn: 'プレビューなし',
    triangles: triangles => `三角形 ${count(triangles)} 個`,
    imageFor: (slot, material) => `${material} の${slot}`,
    suggested: { name: '名前による候補', size: 'サイズによる候補' },
    apply: '適用',
    applyTo: (image, slot, material) => `${image} を ${material} の${slot}に適用`,
    applyAll: suggestions => `候補 ${count(suggestions)} 件を適用`,
    remove: (image, slot) => `${slot}から ${image} を外す`,
    addSlot: 'スロットを追加…',
    addSlotTo: material => `${material} にスロットを追加`,
    shared: 'このフォルダー内の、同じマテリアル名を持つすべてのモデルに使う',
    channels: ['赤', '緑', '青', 'アルファ'],
    contents: { '-': '未使用', o: 'オクルージョン', r: '粗さ', g: '光沢', m: '金属度' },
    slotNames: {
      baseColor: 'ベースカラー',
      normal: '法線',
      emissive: '発光',
      packed: 'パックしたチャンネル',
      metallic: '金属度',
      roughness: '粗さ',
      gloss: '光沢',
      occlusion: 'オクルージョン',
      opacity: '不透明度',
    },
  },
  imageApplied: (image, material) => `${image} を ${material} に適用しました。`,
  imageNotApplied: (image, material) => `${image} を ${material} に適用できませんでした。`,
  addToScene: name => `${name} をシーンに追加`,
  addedToScene: name => `${name} をシーンに追加しました。`,
  noMesh: name => `${name} には表示できるメッシュがありません。`,
  modelRemoved: name => `${name} をシーンから外しました。`,
  modelAttached: (model, bone) => `${model} を ${bone} に取り付けました。`,
  addToRestPose: '基本姿勢に加算',
  addToBase: 'ベースのアニメーションに加算',
  addedTo: name => `${name} に重ねて再生しています。`,
  standUp: '起こす',
  playWithoutRetargeting: 'リターゲットせずに再生',
  busy: '読み込んでいます…',
  reloadingAnimations: 'アニメーションを読み直しています…',
  reloading: 'すべて読み直しています…',
  placing: (done, total) => `シーンのファイルを読み込んでいます (${count(done)}/${count(total)})…`,
  languageChanged: '言語: 日本語',
  languageFailed: 'その言語を読み込めませんでした。接続を確かめてください。',
  demoFailed: status =>
    status === null ? 'サーバーに接続できないため、デモを読み込めませんでした。' : `デモを読み込めませんでした (HTTP ${status})。`,

  withoutDemo: reason => `${reason}手元のファイルは開けます。`,

  // Announced to screen readers
  cancelled: 'キャンセルしました。',
  modelOpened: (name, animations) => `${name} を開きました。アニメーションは ${count(animations)} 個です。`,
  animationsAdded: animations => `アニメーションを ${count(animations)} 個追加しました。`,
  reloaded: '読み直しました。',
  addedToModel: 'ファイルをモデルに追加しました。',

  // Start
  start: 'ようこそ',
  startTitle: 'リグをドロップすれば、動き出します。',
  startText: 'モデル、アニメーション、テクスチャ、またはフォルダーごとドロップしてください。',
  stays: 'ファイルがこのコンピューターの外に出ることはありません。',
  reads: formats =>
    `${formats.join('、')} を開けます。テクスチャと付属ファイルは自動で見つけます。ファイルがこのコンピューターの外に出ることはありません。`,
  showDemo: 'デモを見る',
  undoClose: '閉じたファイルを戻す',
  reopen: (name, more) => (more > 0 ? `${name} と他 ${count(more)} 件をもう一度開く` : `${name} をもう一度開く`),
  recent: names => `最近: ${names.join('、')}`,

  // Questions
  openLink: 'リンクを開く',
  openLinkTitle: 'このリンクを開きますか?',
  openLinkText: 'このリンクは、rigcast ではなく、開いているファイルに含まれていたものです。',
  openTab: '新しいタブで開く',

  // Panels
  sharedTitle: '共有されたファイルを開きますか?',
  sharedText: names => `別のアプリまたはページから送られました: ${some(names)}`,
  openShared: '開く',
  release: 'rigcast の新しいバージョンがあります。再読み込みすると、開いているファイルは閉じます。',
  loadRelease: '再読み込み',
  panels: { files: 'ファイル', animations: 'アニメーション', look: '見た目', details: '詳細' },
  commandGroups: { playback: '再生', camera: 'カメラ', look: '見た目', files: 'ファイル', page: 'ページ' },
  emptyPanels: {
    files: '開いたファイルがここに並びます。',
    animations: '開いたファイルのアニメーションがここに並びます。',
    look: 'モデルを開くと、見た目を変えられます。',
    details: 'モデルを開くと、中身を調べられます。',
  },
  sections: {
    files: 'ファイル',
    animations: 'アニメーション',
    recording: '記録',
    poses: '手の姿勢',
    blends: 'ポーズ',
    events: 'イベント',
    tracking: '手のトラッキング',
    avatar: '表情',
    shading: 'シェーディング',
    materials: 'マテリアル',
    show: '表示',
    camera: 'カメラ',
    light: '光と背景',
    springs: 'スプリングボーン',
    rigging: 'コンストレイントと IK',
    particles: 'パーティクル',
    orientation: '向き',
    inspect: '調べる',
    measure: '測定',
    morphs: 'モーフターゲット',
    rights: '作者とライセンス',
    report: 'レポート',
  },
  errors: errors => `エラー ${count(errors)} 件`,
  warnings: warnings => `警告 ${count(warnings)} 件`,

  // Files
  fileCount: files => `${count(files)} 個のファイル`,
  animationCount: (own, all) =>
    own === all ? `アニメーション ${count(all)} 個` : `アニメーション ${count(all)} 個のうち ${count(own)} 個がこのモデルに対応`,
  models: models => `モデル (${count(models)})`,
  animationFiles: files => `アニメーション (${count(files)})`,
  otherFiles: files => `その他のファイル (${count(files)})`,
  library: {
    title: 'ライブラリ',
    back: 'モデルに戻る',
    found: (found, all) => (found === all ? `モデル ${count(all)} 個` : `モデル ${count(all)} 個中 ${count(found)} 個`),
    filter: 'モデルを絞り込む',
    format: '形式',
    allFormats: 'すべての形式',
    skeleton: 'スケルトン',
    allSkeletons: 'すべてのスケルトン',
    skeletonOf: (root, bones, models) => `${root} · ボーン ${count(bones)} (${count(models)})`,
    starred: 'スター付きのモデルのみ',
    star: name => `${name} にスターを付ける`,
    columns: { name: '名前', bones: 'ボーン', triangles: '三角形', animations: 'アニメーション', textures: 'テクスチャ', date: '日付' },
    ascending: '昇順',
    descending: '降順',
    tiles: 'タイルで表示',
    list: 'リストで表示',
  },
  convertFolder: {
    title: 'フォルダーを変換',
    button: 'フォルダーを変換…',
    about: (models, animations) =>
      `モデル ${count(models)} 個、アニメーションファイル ${count(animations)} 個。各モデルを、合うアニメーションと一緒に保存します。`,
    intoFolder: 'フォルダーに保存…',
    intoZip: 'ZIP で保存',
    reading: (at, of) => `ファイルを読み込んでいます (${count(at)}/${count(of)})…`,
    converting: (at, of) => `変換しています (${count(at)}/${count(of)})…`,
    done: (converted, failed, isCancelled) =>
      `${isCancelled ? 'キャンセルしました。' : ''}${count(converted)} 個のファイルを変換しました。${failed > 0 ? `${count(failed)} 個は変換できませんでした。` : ''}`,
    savedIn: folder => `${folder} に保存しました。`,
    notConverted: files => `変換できなかったファイル (${count(files)})`,
    losses: losses => `失われたデータと注記 (${count(losses)})`,
    unreadable: 'ファイルを読み込めません。',
    unused: {
      unmatched: 'このアニメーションに合うモデルがありません。',
      'without-skeleton': 'アニメーションはありますが、スケルトンがありません。元のモデルを追加してください。',
      empty: 'モデルもアニメーションも含まれていません。',
    },
  },
  searchFiles: 'ファイルを検索',
  sortBy: '並べ替え',
  orders: { name: '名前', size: 'サイズ', folder: 'フォルダー' },
  noResults: '見つかりません。',
  more: more => `ほかに ${count(more)} 個。検索で見つけられます。`,
  notOpen: size => `未読み込み、${bytes(size)}`,
  modelFacts: (bones, triangles) =>
    [bones > 0 && `ボーン ${count(bones)}`, triangles > 0 && `三角形 ${count(triangles)}`].filter(Boolean).join(' · '),
  levels: '詳細度（LOD）',
  level: level => `詳細度 ${level}`,
  isDamaged: '破損',
  parts: 'モデルのパーツ',
  partDoubts,
  moreParts: parts => `同じスケルトンのパーツ候補 ${count(parts)} 個`,
  addParts: 'モデルに追加',
  partsAdded: names => `${names} をモデルに追加しました。`,
  partsRemoved: names => `${names} をモデルから外しました。`,
  undone: '元に戻しました。',
  isClosed: 'すべてのファイルを閉じました。もう一度開くには「元に戻す」を選んでください。',

  // Animations
  noMatchingBones: '対応するボーンなし',
  bonesMoved: (moved, bones) => `ボーン ${count(bones)} 本中 ${count(moved)} 本`,
  forThisModel: animations => `このモデル用 (${count(animations)})`,
  showOtherAnimations: animations => `ほかのモデル用のアニメーション ${count(animations)} 個を表示`,
  hideOtherAnimations: 'ほかのモデル用のアニメーションを隠す',
  otherAnimations: animations => `ほかのモデル用 (${count(animations)})`,

  bonesMatching: (found, names) => `ボーン ${count(names)} 本のうち ${count(found)} 本が対応`,

  searchAnimations: 'アニメーションを検索',
  noAnimations: 'アニメーションはまだありません。',
  nothingToAnimate: 'このモデルには、動かせるボーンもモーフターゲットもありません。',
  onlyMorphsToAnimate: 'このモデルにはボーンがありません。アニメーションで変わるのは、モーフターゲットだけです。',
  noAnimationsText:
    'アニメーションファイル (.psa、.cast、.seanim、.ueanim、.uepose、GLB、FBX、BVH) をドロップしてください。ボーンの名前は、このモデルのボーンと同じである必要があります。ただし、両方がヒューマノイドの場合を除きます。',
  noModelText: 'モデルとアニメーションをドロップしてください。モデルがない場合、.psa と .cast のアニメーションのスケルトンを表示できます。',
  animationsFound: (found, all) => `アニメーション ${count(all)} 個のうち ${count(found)} 個`,
  restPose: '基本姿勢',
  bindPose: 'バインドポーズ',
  noName: '(名前なし)',
  frames: frames => `${count(frames)} フレーム`,
  rate: rate => `${Number(rate.toFixed(2))} fps`,
  clock: (seconds, digits = 2) => `${seconds.toFixed(digits)} 秒`,
  seconds: seconds => `${seconds.toFixed(seconds < 10 ? 1 : 0)} 秒`,
  pose: '1 フレーム',

  // Timeline
  playback: '再生',
  pause: '一時停止',
  time: '時間',
  speed: '速さ',
  frameOf: (frame, last) => `${frame} / ${last}`,
  secondOf: (time, duration) => `${time} / ${duration} 秒`,
  loops: (isOn, isOfFile) => `: ${isOn ? 'オン' : 'オフ'}${isOfFile ? '、ファイルの設定どおり' : ''}`,
  once: '一回だけ再生',
  rangeEnds: { from: '範囲の始点', to: '範囲の終点' },
  noAnimation: 'アニメーションなし',
  playAs: '再生方法',
  playAsChoices: {
    auto: '自動',
    file: 'ファイルの設定どおり',
    everything: 'すべてのボーン (.config を無視)',
    'rotation-only': '回転だけ',
    additive: '加算 (基本姿勢に)',
  },
  event: (name, time) => `${time} のイベント ${name}`,
  events: (events, from, to) => `次のイベント (${from} から ${to} までに ${count(events)} 個)`,
  searchEvents: 'イベントを検索',
  eventsOf: (events, animation) => `${animation} のイベント ${count(events)} 個`,

  // Drawer
  drawer: {
    title: 'タイムライン',
    resize: 'タイムラインの高さを変える',
    view: 'タイムラインの表示',
    views: {
      keys: 'キー',
      curves: 'カーブ',
      layers: 'レイヤー',
      bones: 'ボーンマップ',
      hands: '手',
      checks: 'チェック',
      markers: 'マーカー',
    },
    noAnimation: 'アニメーションを選ぶと、キー、カーブ、レイヤー、チェックを表示します。',
    rows: 'ボーンとキー',
    keys: (keys, times, isFrames) => (keys === 0 ? 'キーなし' : `キー ${count(keys)} 個 (${isFrames ? 'フレーム' : '秒'}: ${times})`),
    frame: frame => `フレーム ${frame}`,
    noMoreKeys: 'これ以上キーはありません。',
    summary: (moving, keyed) => `${count(keyed)} 個中 ${count(moving)} 個が動作`,
    search: 'ボーンを検索',
    show: '表示する行',
    filters: { moving: '動くボーン', keyed: 'キーのあるボーン', chosen: '選択中のボーン', all: 'すべてのボーン' },
    hasChannels: 'チャンネル',
    channels: {
      translation: '位置',
      rotation: '回転',
      scale: 'スケール',
      weight: 'ウェイト',
      visible: '表示',
      shown: '表示',
      property: 'プロパティ',
      material: 'マテリアル',
    },
    zoomIn: '拡大',
    zoomOut: '縮小',
    fit: '全体',
    chooseForCurves: 'ボーンを選ぶと、カーブを表示します。Ctrl または Shift で複数選べます。',
    noCurves: '選択中のボーンには、これらのチャンネルのキーがありません。',
    hiddenCurves: tracks => `ほかに ${count(tracks)} 本のカーブがあります。選ぶボーンを減らしてください。`,
    comparedDashed: '破線: 比較中のアニメーション',
  },

  // View
  shading: 'シェーディング',
  shadingModes: {
    lit: '陰影あり',
    unlit: '陰影なし',
    clay: 'クレイ',
    normals: '法線',
    uv: 'UV チェッカー',
    colors: '頂点カラー',
    weights: 'ボーンウェイト',
    sections: 'マテリアル ID',
  },
  bone: 'ボーン',
  cameras: 'ファイルのカメラ',
  throughCamera: name => `${name} から見る`,
  fieldOfView: '画角',
  materials: {
    material: 'マテリアル',
    changed: '変更あり',
    values: {
      color: 'ベースカラー',
      metallic: 'メタリック',
      roughness: 'ラフネス',
      alphaMode: 'アルファモード',
      opacity: '不透明度',
      alphaCutoff: 'アルファのしきい値',
      uvSet: 'UV セット',
      doubleSided: '両面',
    },
    alphaModes: { opaque: '不透明', mask: 'マスク', blend: 'ブレンド' },
    uvSet: number => `セット ${count(number)}`,
    reset: value => `元に戻す: ${value}`,
    resetMaterial: 'マテリアルを元に戻す',
    save: '値を保存…',
    load: '値を読み込む…',
    about: '値をファイルに保存し、モデルと同じフォルダーに置いてください。ビューアー、要素、コマンドラインがその値を使います。',
    loaded: name => `${name} の値を適用しました。`,
    invalid: name => `${name} に有効なマテリアルの値がありません。`,
  },
  measure: {
    from: '始点',
    to: '終点',
    surface: '表面上の点',
    hint: 'モデルの 2 点をクリックするか、2 つのボーンを選んでください。',
    ended: '測定を終了しました。',
    clear: '消去',
    units: '単位',
    inFile: (metres, own) => `${metres} (ファイルでは ${own})`,
  },
  bookmarks: {
    title: '保存した視点',
    name: '視点の名前',
    save: '視点を保存',
    numbered: number => `視点 ${count(number)}`,
    saved: name => `${name} を保存しました。`,
    shown: name => name,
    remove: name => `${name} を削除`,
    removed: name => `${name} を削除しました。`,
  },
  fly: {
    help: 'W、A、S、D で移動、Q で下降、E で上昇。Shift で速くなります。ドラッグまたは矢印キーで見回し、Esc で終了します。',
    ended: 'フライモードを終了しました。',
    exit: 'フライモードを終了',
    moves: { KeyW: '前', KeyS: '後', KeyA: '左', KeyD: '右', KeyE: '上', KeyQ: '下' },
  },
  watch: {
    started: name => `${name} を監視しています。変更されたファイルを読み込み直します。`,
    ended: '監視を終了しました。',
    unavailable: 'このブラウザーはフォルダーを監視できません。パソコンの Chrome または Edge を使ってください。',
  },
  exposure: '露出',
  lightRotation: '回転',
  environment: '環境',
  environments: { room: '室内', studio: 'スタジオ', day: '昼', evening: '夕方', night: '夜', image: '画像…' },
  background: '背景',
  backgrounds: { page: 'ページと同じ', white: '白', grey: 'グレー', black: '黒', environment: '環境' },
  upAxis: '上方向の軸',
  rotation: '回転',
  scale: 'スケール',
  conjugateRoot: 'ルートの回転を共役にする (Unreal)',
  riggingKinds: { ik: 'IK', constraint: 'コンストレイント' },

  // Layers
  none: 'なし',
  weight: 'ウェイト',
  layers: {
    animation: 'アニメーション',
    layer: 'レイヤー',
    compareWith: '比較対象',
    weight: 'ウェイト',
    bones: 'ボーン',
    allBones: 'すべてのボーン',
    boneAndBelow: name => `${name} とその子`,
    additive: '加算',
    fade: 'フェード',
    fadeText: 'アニメーションの始めでレイヤーをフェードインし、終わりでフェードアウトします。',
    layerText: '2 つ目のアニメーションを重ねて再生します。上半身だけにもできます。',
    isAdditive: 'このレイヤーをアニメーションに加算します。',
    isDeclaredAdditive: 'ファイルの指定どおり、このレイヤーをアニメーションに加算します。',
    isBlended: 'このレイヤーは、ウェイトに応じてアニメーションとブレンドします。',
    comparedText: '2 つ目のアニメーションのボーンをピンク色で、カーブを破線で表示します。',
    onionSkins: 'オニオンスキン',
    beforeAndAfter: poses => `前後 ${count(poses)} 個`,
    every: '間隔',
    frames: 'フレーム',
    onionText: '前のポーズのボーンを緑、後のポーズのボーンを青で表示します。',
    onionWithoutLayer: '前のポーズのボーンを緑、後のポーズのボーンを青で、レイヤーなしで表示します。',
    noLayers: '記録にはレイヤーがありません。',
  },
  markers: {
    title: 'マーカー',
    add: '現在の時間に追加',
    save: 'JSON を書き出す',
    load: 'JSON を読み込む…',
    none: 'タイムラインで M を押すと、現在の時間にマーカーを追加します。JSON ファイルをここにドロップすると、マーカーを読み込みます。',
    newName: number => `マーカー ${number}`,
    at: time => `マーカー (${time})`,
    nameAt: time => `マーカーの名前 (${time})`,
    added: time => `マーカーを追加しました (${time})。`,
    remove: time => `マーカーを削除 (${time})`,
    removed: time => `マーカーを削除しました (${time})。`,
    loaded: markers => `マーカーを ${count(markers)} 個読み込みました。`,
    notLoaded: name => `${name} にマーカーはありません。`,
  },
  boneMap: {
    title: 'ボーンマップ',
    columns: ['モデルのボーン', '動かすボーン', '見つけ方', '操作'],
    filters: { all: 'すべてのボーン', paired: '対応あり', unpaired: '対応なし', changed: '手動' },
    summary: (paired, all, method) =>
      `${count(all)} 本中 ${count(paired)} 本が対応${
        { names: ' (ボーンの名前)', body: ' (体の部位)', hands: ' (記録された関節)', none: '' }[method] ?? ''
      }`,
    foundBy: { stated: '手動', name: '同じ名前', part: '体の部位', position: '位置', joint: '記録された関節' },
    foundAs: { part: part => `体の部位: ${part}`, position: part => `体に沿った位置: ${part}`, joint: part => `記録された関節: ${part}` },
    unpaired: '対応なし',
    unused: '何も動かさない',
    restPose: '基本姿勢',
    choose: '選ぶ…',
    chooseSource: target => `${target} を動かすボーン`,
    chooseTarget: source => `${source} が動かすボーン`,
    sourceOf: (target, source) => `${target} を動かすボーン: ${source}`,
    clear: target => `${target} の対応を外す`,
    reset: target => `${target} を元に戻す`,
    resetAll: 'すべて元に戻す',
    resetDone: 'ボーンマップを元に戻しました。',
    wasReset: target => `${target} を元に戻しました。`,
    loaded: pairs => `ボーンマップ (対応 ${count(pairs)} 組) を読み込みました。`,
    tooLarge: 'ボーンマップとしては大きすぎるファイルです。',
    unknown: (names, more) => `ボーンマップの次の名前はここにありません: ${names}${more > 0 ? ` ほか ${count(more)} 個` : ''}`,
    notRetargeted: 'このアニメーションはリターゲットしていません。カーブは同じ名前のボーンを動かします。',
    retarget: 'リターゲット',
    noSkeleton: 'このアニメーションのスケルトンがわかりません。元のモデルを追加してください。',
    needsModel: name => `${name} はボーンマップです。先にモデルとアニメーションを開いてください。`,
  },
  checks: {
    loop: 'ループ',
    feet: '足',
    measuring: '測定中…',
    noLoop: 'チェックできるのは、ボーンを動かす 1 つのアニメーションだけです。',
    matches: '最後のフレームは最初と一致するので、途切れずにループします。',
    differs: (place, turn) => `ループのつなぎ目で姿勢が飛びます: ${[place, turn].filter(Boolean).join('、')}。`,
    apart: (bone, distance) => `${bone} が ${distance} 移動`,
    turned: (bone, degrees) => `${bone} が ${degrees}° 回転`,
    travels: (distance, degrees) => `最初から最後のフレームまでに、体は地面を ${distance} 移動し、${degrees}° 回転します。`,
    noFeet: '足を測定できるのは、人型の骨格を持つモデルだけです。',
    noContacts: '足は地面に着きません。',
    noSlide: distance => `接地中に ${distance} を超えて滑る足はありません。`,
    slides: (sliding, contacts) => `接地 ${count(contacts)} 回のうち ${count(sliding)} 回で足が滑ります。選ぶと表示します。`,
    slide: (foot, distance, from, to, isFrames) =>
      `${foot === 'left' ? '左足' : '右足'} ${distance}、${isFrames ? `フレーム ${from}–${to}` : `${from}–${to} 秒`}`,
  },

  hands: {
    about: 'グラフをクリックすると、その時間に移動します。途切れている間は、手を追跡していません。',
    pinch: 'ピンチの強さ',
    bend: '関節の曲がり',
    finger: '指',
    joint: '関節',
    save: 'CSV を書き出す',
  },

  vrm: {
    title: 'タイトル、作者、ライセンス、サムネイル',
    about: 'アバターを使う人に表示される情報です。ファイルに書かれていない許諾は、最も厳しい値になっています。',
    permissions: '許諾',
    apply: '適用',
    notApplied: '保存する前に変更を適用してください。',
    thumbnail: 'サムネイル',
    takeThumbnail: '現在の表示をサムネイルにする',
    removeThumbnail: 'サムネイルを外す',
    fields: {
      name: 'タイトル',
      version: 'バージョン',
      authors: '作者 (1 行に 1 人)',
      copyrightInformation: '著作権情報',
      contactInformation: '連絡先',
      references: '参照 (1 行に 1 つ)',
      thirdPartyLicenses: '第三者のライセンス',
      licenseUrl: 'ライセンスの URL',
      otherLicenseUrl: 'その他のライセンスの URL',
      avatarPermission: 'アバターを演じてよい人',
      commercialUsage: '商用利用',
      creditNotation: 'クレジット表記',
      modification: '改変',
      allowRedistribution: '再配布',
      allowExcessivelyViolentUsage: '過度に暴力的な表現での利用',
      allowExcessivelySexualUsage: '過度に性的な表現での利用',
      allowPoliticalOrReligiousUsage: '政治・宗教目的での利用',
      allowAntisocialOrHateUsage: '反社会的・ヘイト表現での利用',
    },
    values: {
      onlyAuthor: '作者のみ',
      onlySeparatelyLicensedPerson: '別途許諾された人のみ',
      everyone: '誰でも',
      personalNonProfit: '個人の非営利',
      personalProfit: '個人の営利',
      corporation: '法人',
      required: '必要',
      unnecessary: '不要',
      prohibited: '禁止',
      allowModification: '改変を許可',
      allowModificationRedistribution: '改変と改変物の再配布を許可',
      false: '許可しない',
      true: '許可する',
    },
  },

  // Recordings
  recording: {
    bendTitle: hand => `${hand}: 関節の曲がり (0° はまっすぐ)`,
    hands: { left: '左手', right: '右手' },
    fingers: { thumb: '親指', index: '人差し指', middle: '中指', ring: '薬指', pinky: '小指' },
    bends: ['付け根', '中の関節', '先の関節'],
    notTracked: hand => `${hand}: トラッキングされていません。`,
    pinching: 'ピンチ中',
    pinchStrength: (strength, millimetres) => `ピンチの強さ ${strength}、親指と人差し指の間 ${millimetres} mm`,
    difference: (whole, shape) => `もう一方の記録との差は平均 ${whole} mm、手首をそろえると ${shape} mm です。`,
    compare: '比較対象',
    dropToCompare: '比較するには、もう一つの記録をドロップしてください。',
    offset: '時間のずれ',
    offsetSeconds: seconds => `${seconds} 秒`,
    notARecording: name => `${name} は手の記録ではありません。比較するには、別のファイルを選んでください。`,
  },
  noEvents: 'イベントはありません。',
  handLetters: { left: 'L', right: 'R' },
  pinch: number => `ピンチ ${number}`,
  lasting: time => `${time}間`,
  trackedFor: (time, share, pieces) => `トラッキング ${time}${share}${pieces > 1 ? `、${count(pieces)} 区間` : ''}`,
  neverTracked: 'トラッキングされていません。',
  noPinches: 'ピンチはありません。',
  span: (from, to) => `${from} から ${to}`,
  handTracked: (hand, seen, pinching) =>
    `${hand === 'left' ? '左手' : '右手'}: ${seen ? `トラッキング ${seen} 秒` : 'トラッキングなし'}、${pinching ? `ピンチ ${pinching} 秒` : 'ピンチなし'}`,

  // Scene
  sceneSwitches: {
    sky: 'ファイルの空',
    fileLights: 'ファイルのライト',
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
    blinkLeft: '左目ウィンク',
    blinkRight: '右目ウィンク',
    aa: '口: あ',
    ih: '口: い',
    ou: '口: う',
    ee: '口: え',
    oh: '口: お',
  },
  expressions: '表情',
  resetFace: '表情をリセット',
  avatar: {
    mix: '表情のブレンド',
    idleBehaviour: '待機時の動き',
    look: '視線がポインターを追う',
    head: '頭がポインターを追う',
    blink: 'まばたき',
    idle: '待機中の呼吸',
  },
  springRules: { title: '計算の方式', unity: 'UniVGO と同じ', vrm: 'VRM と同じ' },
  simulate: 'シミュレーション',
  resetSprings: 'スプリングボーンをリセット',
  rightsTo: name => `${name} のライセンス`,
  rightsToQuoted: name => `「${name}」のライセンス`,
  moreRights: more => `ほかに ${count(more)} 個のパーツのライセンス`,
  asksBeforeOpening: 'リンクを開く (先に確認します)',
  particlesText: 'パーティクルはファイルの設定で再生します。対応していない設定は「レポート」に表示されます。',
  andMore: more => `ほかに ${count(more)} 個`,

  // Morphs
  searchMorphs: 'モーフを検索',
  searchPoses: 'ポーズを検索',
  firstPoses: (most, all) => `ポーズ ${count(all)} 個のうち最初の ${count(most)} 個。ほかは検索で見つけられます。`,
  resetAll: 'すべてリセット',
  firstMorphs: (most, all) => `モーフ ${count(all)} 個のうち最初の ${count(most)} 個。ほかは検索で見つけられます。`,

  // Inspect
  nothingToShow: '表示するものはまだありません。',
  triangleCount: triangles => `三角形 ${count(triangles)}`,
  inspect: {
    title: '調べるもの',
    scene: 'シーン',
    bytesOf: name => `${name} のバイト列`,
    search: '名前で検索',
    details: 'プロパティ',
    readingFile: 'ファイルを読み込んでいます…',
    noOutline: 'この形式のバイト列は表示できません。代わりに「シーン」を選んでください。',
    fileIsGone: 'ファイルを読み込めなくなりました。ファイルをもう一度ドロップしてください。',
    groups: {
      meshes: 'メッシュ',
      bones: 'ボーンとノード',
      materials: 'マテリアル',
      images: '画像',
      animations: 'アニメーション',
      expressions: '表情',
      lights: 'ライト',
      cameras: 'カメラ',
      references: '参照ファイル',
    },
    animationsOf: name => `${name} のアニメーション`,
    shows: name => `${name} を表示`,
    more: 'ほかのプロパティは省略',
    yes: 'はい',
    no: 'いいえ',
    kind: '種類',
    name: '名前',
    id: '識別子',
    hash: 'ハッシュ',
    children: '子要素',
    bytes: size => `${count(size)} バイト`,
    bytesFrom: (from, to) => `バイト 0x${from} ～ 0x${to}`,
    bytesBefore: '前のバイト',
    bytesAfter: '次のバイト',
    showBytes: 'バイト列を表示',
    attach: '取り付けるモデル',
    attachText: '取り付けたモデルは、このボーンと一緒に動きます。GLB、glTF、VRM のファイルに含まれます。',
    boundTo: 'バインド先',
    bones: bones => `ボーン ${count(bones)} 本`,
    uvSets: 'UV セット',
    colors: '頂点カラー',
    attributes: '属性',
    parent: '親',
    length: '長さ',
    lengthTo: (length, child) => `${length} (${child} まで)`,
    localPosition: 'ローカル位置',
    localRotation: 'ローカル回転',
    localScale: 'ローカルスケール',
    restPosition: '基本姿勢の位置',
    restRotation: '基本姿勢の回転',
    restScale: '基本姿勢のスケール',
    worldPosition: 'ワールド位置',
    segmentScale: '親のスケールを無視',
    shadingModel: 'シェーディングモデル',
    color: '色',
    emissive: '発光',
    slot: 'テクスチャスロット',
    slots: {
      baseColor: 'ベースカラー',
      normal: '法線',
      emissive: '発光',
      orm: '遮蔽・粗さ・金属度',
      roughness: '粗さ',
      metallic: '金属度',
      occlusion: '遮蔽',
      opacity: '不透明度',
    },
    applyImage: '画像を適用…',
    metallic: '金属度',
    roughness: '粗さ',
    alpha: 'アルファモード',
    alphaModes: { opaque: '不透明', mask: 'マスク', blend: 'ブレンド', add: '加算', multiply: '乗算' },
    side: '描く面',
    sides: { front: '表', back: '裏', both: '両面' },
    stored: '保存場所',
    inFile: 'このファイルの中',
    inSeparateFile: '別のファイル',
    frames: 'フレーム',
    tracks: 'トラック',
    target: '対象',
    keys: keys => `キー ${count(keys)} 個`,
    keyCount: 'キー',
    interpolation: '補間',
    mode: 'モード',
    override: 'モードの上書き',
    overridden: (mode, node, what, isSelf) => `${node} ${isSelf ? 'とその子孫' : 'の子孫'}の ${what} は ${mode}`,
    node: 'ノード',
    mesh: 'メッシュ',
    intensity: '強さ',
    range: '届く距離',
    enabled: '有効',
    nearFar: 'ニア – ファー',
    required: '必須',
    found: '見つかった',
  },

  // Report
  verdicts: {
    error: '読み込めなかったデータがあります。',
    warning: '読み込みましたが、警告があります。',
    info: '問題なく読み込みました。',
    ok: '問題なく読み込みました。',
  },
  noReport: '開いているファイルはありません。',
  notes: remarks => `備考 ${count(remarks)} 件`,
  moreFindings: 'ここに表示されていない問題もあります。',
  finding: { here: '詳細', code: 'コード', byte: 'バイト位置', path: 'パス', times: '件数', help: '対処方法' },
  facts: {
    length: '長さ',
    events: 'イベント',
    vertices: '頂点',
    triangles: '三角形',
    bones: 'ボーン',
    materials: 'マテリアル',
    morphs: 'モーフ',
    size: 'サイズ',
    animations: 'アニメーション',
    instances: 'インスタンス',
    files: 'ファイル',
  },
  partOf: name => `${name} のパーツ`,
  attachedTo: bone => `${bone} に取り付け`,
  shownBeside: 'モデルの隣に表示',
  placedBy: name => `シーン ${name} で使用`,
  playedHere: name => `${name} のアニメーション、このモデルで再生`,
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
    generator: '書き出しソフト',
  },

  // Commands
  commands: {
    library: { title: 'ライブラリ', help: '開いたファイルのすべてのモデル' },
    save: { title: '別の形式で保存…', help: 'GLB、Cast など' },
    play: { title: '再生', help: 'または一時停止' },
    stepBack: { title: '前のフレーム', help: 'Shift で 10 フレーム' },
    stepOn: { title: '次のフレーム', help: 'Shift で 10 フレーム' },
    toStart: { title: '先頭へ', help: '' },
    toEnd: { title: '末尾へ', help: '' },
    rangeFrom: { title: '範囲の始点を設定', help: '' },
    rangeTo: { title: '範囲の終点を設定', help: '' },
    rangeAll: { title: '範囲を解除', help: '' },
    unit: { title: '時間の単位を切り替え', help: 'フレームまたは秒' },
    mode: { title: 'シェーディングの切り替え', help: '陰影、クレイ、法線、UV チェッカーなど' },
    bounds: { title: 'バウンディングボックス', help: '' },
    rigging: { title: 'コンストレイントと IK', help: '' },
    front: { title: '正面ビュー', help: '', label: '正面' },
    right: { title: '右ビュー', help: '', label: '右' },
    top: { title: '上面ビュー', help: '', label: '上' },
    opposite: { title: '反対側のビュー', help: '', label: '反転' },
    focus: { title: 'ボーンにフォーカス', help: 'またはモデル全体', label: 'フォーカス' },
    flat: { title: '平行投影', help: '' },
    trail: { title: 'ボーンの軌跡', help: '選択したボーンの軌跡' },
    next: { title: 'アニメーションの切り替え', help: '前、次' },
    model: { title: 'モデルの切り替え', help: '次、前' },
    undo: { title: '元に戻す', help: '最後に開いた、閉じた、またはマテリアルを変更した操作', label: '元に戻す' },
    reload: { title: 'ディスクから再読み込み', help: 'モデルとアニメーションはそのまま', label: '再読み込み' },
    close: { title: 'すべて閉じる', help: '', label: 'すべて閉じる' },
    reset: { title: '全体を表示', help: 'モデル全体' },
    bones: { title: 'スケルトン', help: 'ボーンをクリックすると名前を表示' },
    names: { title: 'ボーンの名前', help: '' },
    axes: { title: 'ボーンの軸', help: 'X 赤、Y 緑、Z 青' },
    sockets: { title: 'ソケット', help: 'ファイルにある取り付け位置' },
    wire: { title: 'ワイヤーフレーム', help: '' },
    colors: { title: '頂点カラー', help: '' },
    grid: { title: 'グリッド', help: '' },
    drawer: { title: 'タイムライン', help: '画面下にキー、カーブ、レイヤー、チェックを表示', label: 'タイムライン' },
    boneMap: { title: 'ボーンマップ', help: 'リターゲットしたアニメーションのボーンの対応' },
    loop: { title: 'ループ', help: 'オン、オフ、ファイルの設定どおり' },
    lock: { title: 'ルートモーションを固定', help: 'モデルがその場にとどまります' },
    trails: { title: '指先の軌跡', help: '記録のみ' },
    camera: { title: '記録されたカメラ', help: '記録のみ' },
    leave: { title: '記録されたカメラを終了', help: 'フライモードと測定も終了する' },
    open: { title: 'ファイルを開く', help: '', label: '開く' },
    folder: { title: 'フォルダーを開く', help: '', label: 'フォルダー' },
    picture: { title: '画像や動画を保存', help: '' },
    swap: { title: '比較中のアニメーションを入れ替え', help: '' },
    measure: { title: '測定', help: '2 点間の距離' },
    fly: { title: 'フライ', label: 'フライ', help: 'W、A、S、D、Q、E で移動する' },
    bookmark: { title: '保存した視点を表示', help: '保存した視点 1 から 9' },
    watch: { title: 'フォルダーを監視', label: 'フォルダーを監視', help: '変更されたファイルを読み込み直す' },
    match: { title: '画像の割り当て…', help: '画像をマテリアルに割り当てる' },
    share: { title: '共有…', help: 'リンク、または Web ページ用のコード' },
    theme: { title: 'テーマ', help: 'ダークまたはライト' },
    language: { title: '言語', help: 'English、日本語' },
    help: { title: 'ヘルプ', help: '' },
  },
  colorLayer: (layer, layers) => `、レイヤー ${layer}/${layers}`,
  commandsTitle: 'コマンドとショートカット',
  searchCommands: 'コマンドを検索',
  shiftAnd: key => `Shift ${key}`,
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
  touchHelp: 'ドラッグで回転、二本指で移動、ピンチで拡大縮小。ボーンを長押しすると選択します。',
  mouseHelp: 'ドラッグで回転、右ドラッグで移動、スクロールで拡大縮小。Alt と矢印キーで回転、+ と − で拡大縮小もできます。',
};
