// Curves of the chosen rows: draws them on the canvas of the rows, with a legend per band that shows
// the values at the playback time.
import { el, fill } from '../dom.ts';
import { words } from '../words/index.ts';
import { type Band, type BandCurve, bandsOf } from './curveBands.ts';
import { type Unit, valueText } from './curves.ts';
import type { DrawerState } from './drawerState.ts';
import { curveNear, paintCurves, placeOf } from './paintCurves.ts';
import type { SheetColors } from './paintKeys.ts';
import { timeAt } from './timeAxis.ts';

/** Distance between the top of a band and its legend, in pixels. */
const LEGEND = 3;

interface Legend {
  curves: readonly BandCurve[];
  unit: Unit;
  values: readonly HTMLElement[];
}

export class CurveView {
  /** Legends and hints, above the canvas. */
  readonly element = el('div', { class: 'curve-legends' });
  readonly #state: DrawerState;
  #bands: readonly Band[] = [];
  #legends: readonly Legend[] = [];
  #height = 0;
  /** Bands, row and height for which the legends were created. */
  #shown: unknown[] = [];

  constructor(state: DrawerState) {
    this.#state = state;
  }

  draw(context: CanvasRenderingContext2D, colors: SheetColors, height: number, font: string): void {
    const { targets, chosen, compared, channels, axis, activeTarget } = this.#state;
    const rows = targets.value.filter(({ id }) => chosen.value.has(id));
    const { bands, hiddenTracks } = bandsOf({ rows, compared: compared.value, channels: channels.value }, axis.value);
    this.#bands = bands;
    this.#height = height;
    paintCurves(context, bands, { axis: axis.value, colors, height, active: activeTarget, font });
    const shown = [rows, compared.value, channels.value, targets.value, activeTarget, height, hiddenTracks];
    if (shown.length === this.#shown.length && shown.every((each, i) => sameRows(each, this.#shown[i]))) return;
    this.#shown = shown;
    this.#showLegends(activeTarget, rows.length, hiddenTracks);
  }

  /** Updates the values in the legends. `time`: playback time in seconds. */
  update(time: number): void {
    for (const { curves, unit, values } of this.#legends) {
      const numbers = curves.flatMap(({ plot }) => plot.at(time));
      for (const [i, element] of values.entries()) {
        const text = valueText(numbers[i] ?? 0, unit);
        if (element.textContent !== text) element.textContent = text;
      }
    }
  }

  /** Returns the row of the curve at the pointer; null if there is none. */
  curveAt(x: number, y: number): BandCurve | null {
    const axis = this.#state.axis.value;
    return curveNear(this.#bands, { axis, height: this.#height }, timeAt(axis, x), y);
  }

  /** Returns the values of a row at `time` (in seconds) as text: "Rotation X 12°, Y 3°, Z 0°". */
  valuesOf(id: string, time: number): string {
    return this.#bands
      .map(({ path, unit, curves }) => {
        const own = curves.filter(({ row, isCompared }) => row.id === id && !isCompared);
        const values = own.flatMap(({ plot }) =>
          plot.at(time).map((value, i) => `${plot.lines[i]!.axis.toUpperCase()} ${valueText(value, unit)}`.trim()),
        );
        return values.length > 0 ? `${words.drawer.channels[path] ?? path} ${values.join(', ')}` : '';
      })
      .filter(Boolean)
      .join('; ');
  }

  #showLegends(active: string, rowCount: number, hiddenTracks: number): void {
    const hint =
      rowCount === 0
        ? words.drawer.chooseForCurves
        : this.#bands.length === 0
          ? words.drawer.noCurves
          : hiddenTracks > 0
            ? words.drawer.hiddenCurves(hiddenTracks)
            : '';
    const legends = this.#bands.map((band, at) => {
      const own = band.curves.filter(({ isCompared }) => !isCompared);
      const row = own.find(each => each.row.id === active)?.row ?? own[0]?.row;
      const curves = own.filter(each => each.row === row);
      const values = curves.flatMap(({ plot }) => plot.lines.map(({ axis }) => ({ axis, element: el('output', {}) })));
      const element = el(
        'div',
        { class: 'curve-legend' },
        el('b', {}, words.drawer.channels[band.path] ?? band.path),
        el('span', { class: 'quiet' }, row?.name || words.noName),
        ...values.map(({ axis, element: output }) => el('span', { class: `component ${axis}` }, axis.toUpperCase(), ' ', output)),
        band.curves.some(({ isCompared }) => isCompared) && el('span', { class: 'quiet' }, words.drawer.comparedDashed),
      );
      element.style.top = `${placeOf(at, this.#bands.length, this.#height).top + LEGEND}px`;
      return { element, legend: { curves, unit: band.unit, values: values.map(value => value.element) } };
    });
    this.#legends = legends.map(({ legend }) => legend);
    fill(this.element, ...legends.map(({ element }) => element), hint !== '' && el('p', { class: 'quiet curve-hint' }, hint));
    this.update(this.#state.page.playback.time);
  }
}

const sameRows = (a: unknown, b: unknown): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((each, i) => each === b[i]));
