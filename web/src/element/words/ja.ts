// Japanese texts of the element, fetched when an element is first shown in a Japanese part of a
// page.
import type { Labels } from './en.ts';

export const ja: Labels = {
  model: '3D モデル',
  show: '{name}を表示',
  loading: '読み込み中',
  error: 'モデルを読み込めませんでした。',
  unavailable: 'このブラウザーでは 3D を表示できません。',
  retry: 'もう一度試す',
  toolbar: 'モデル',
  play: '再生',
  pause: '一時停止',
  animation: 'アニメーション',
  restPose: '基本姿勢',
  time: '時間',
  position: '{duration} 秒中 {time} 秒',
  speed: '速度',
  reset: '視点をリセット',
  ar: 'AR で表示',
  arHint: '床に向けてタップすると、モデルをそこに置きます。ドラッグで回転します。',
  arLeave: 'AR を終了',
  arFailed: 'モデルを AR で表示できませんでした。',
  prompt: 'ドラッグで回転',
  download: 'GLB として保存',
  downloadFailed: 'モデルを保存できませんでした。',
  fullscreen: '全画面表示',
  leaveFullscreen: '全画面表示を終了',
};
