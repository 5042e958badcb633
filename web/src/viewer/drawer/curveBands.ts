// Groups the curves of the chosen rows into bands, one per channel, because location, rotation and
// scale have different units.
import type { BoundTrack } from '../../core/bind.ts';
import { type Plot, plotOf, type Unit } from './curves.ts';
import type { SheetRow } from './sheetRows.ts';
import type { TimeAxis } from './timeAxis.ts';

/** Maximum number of tracks that are drawn, so that zooming stays smooth. */
export const MAX_TRACKS = 32;
/** Pixels per sample of a line. */
const SAMPLE = 2;

/** Channels of bones that can be hidden. */
export const BONE_CHANNELS = ['translation', 'rotation', 'scale'] as const;
export type BoneChannel = (typeof BONE_CHANNELS)[number];

/** The curves of one track. */
export interface BandCurve {
  row: SheetRow;
  /** True if the track belongs to the animation that the current one is compared with. */
  isCompared: boolean;
  plot: Plot;
}

/** Curves of one channel, which share a value axis. */
export interface Band {
  /** Path of the channel. */
  path: string;
  unit: Unit;
  curves: readonly BandCurve[];
  /** Lowest and highest value in the visible time. */
  low: number;
  high: number;
}

export interface BandChoice {
  rows: readonly SheetRow[];
  /** Rows of the animation that the current one is compared with, by identifier. */
  compared: ReadonlyMap<string, SheetRow>;
  /** Channels of bones that are shown. */
  channels: ReadonlySet<string>;
}

/** Returns the bands, and the number of tracks that are not drawn because there are too many. */
export function bandsOf({ rows, compared, channels }: BandChoice, axis: TimeAxis): { bands: Band[]; hiddenTracks: number } {
  const isShown = ({ path }: BoundTrack): boolean => channels.has(path) || !BONE_CHANNELS.some(channel => channel === path);
  const tracks = rows.flatMap(row => [
    ...row.tracks.map(track => ({ row, track, isCompared: false })),
    ...(compared.get(row.id)?.tracks ?? []).map(track => ({ row, track, isCompared: true })),
  ]);
  const shown = tracks.filter(({ track }) => isShown(track) && track.times.length > 0);
  const byPath = new Map<string, BandCurve[]>();
  for (const { row, track, isCompared } of shown.slice(0, MAX_TRACKS)) {
    const plot = visiblePlot(track, axis);
    if (!plot) continue;
    const curves = byPath.get(track.path);
    if (curves) curves.push({ row, isCompared, plot });
    else byPath.set(track.path, [{ row, isCompared, plot }]);
  }
  const orderOf = (path: string): number => {
    const at = BONE_CHANNELS.findIndex(channel => channel === path);
    return at < 0 ? BONE_CHANNELS.length : at;
  };
  const bands = [...byPath].map(([path, curves]) => ({
    path,
    unit: curves[0]!.plot.unit,
    curves,
    low: Math.min(...curves.map(({ plot }) => plot.low)),
    high: Math.max(...curves.map(({ plot }) => plot.high)),
  }));
  return { bands: bands.sort((a, b) => orderOf(a.path) - orderOf(b.path)), hiddenTracks: Math.max(shown.length - MAX_TRACKS, 0) };
}

const plots = new WeakMap<BoundTrack, { key: string; plot: Plot | null }>();

/** Returns the plot of a track in the visible time. The result is cached until the axis changes. */
function visiblePlot(track: BoundTrack, { from, to, width }: TimeAxis): Plot | null {
  const key = `${from} ${to} ${width}`;
  const known = plots.get(track);
  if (known?.key === key) return known.plot;
  const plot = plotOf(track, { from, to }, Math.max(Math.round(width / SAMPLE), 2));
  plots.set(track, { key, plot });
  return plot;
}
