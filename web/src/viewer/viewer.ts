// The application: what is open, what is shown, and what happens when somebody does something.

import { Group, Vector2, Vector3, type Mesh } from 'three';
import { codes, formats } from '../core/codes.ts';
import { facingOf } from '../core/facing.ts';
import type { RigFile } from '../core/open.ts';
import { mergeReports, reportOf } from '../core/report.ts';
import { textIn } from '../core/properties.ts';
import type { Clip, Need, PropertyValue, Report, RigScene } from '../core/types.ts';
import { baseName, type GivenFile } from '../player/given.ts';
import { buildModel, disposeModel, isBare, type Model, nameOf, openFile, type OpenContext, unplaced } from '../player/model.ts';
import { PlayedMotion, type Reading, type Source, type Suit, suitOf, TOGETHER } from '../player/motion.ts';
import { plan } from '../player/plan.ts';
import { sortFiles } from '../player/role.ts';
import { Shelf } from '../player/shelf.ts';
import {
  firstLook,
  fitShadows,
  GIZMO_KINDS,
  GizmoOverlay,
  handSpans,
  hasVertexColors,
  meshesOf,
  particleFacts,
  partsOf,
  Playback,
  RecordingOverlay,
  recordingView,
  type RecordingColors,
  setVertexColors,
  setWireframe,
  SkeletonOverlay,
  Stage,
  vertexColorsShown,
} from '../stage/index.ts';
import { type Advice, adviceFor, misfitOf } from './advice.ts';
import { type Demo, type DemoFile, demos } from './demos.ts';
import { bytes, count, el, fill, icon, iconButton, plural, setIcon } from './dom.ts';
import { filesOfList, filesOfTransfer, MAX_FILES, type Given } from './intake.ts';
import { ClipPanel } from './panels/clips.ts';
import { MorphPanel, type MorphRow } from './panels/morphs.ts';
import { PartPanel } from './panels/parts.ts';
import { RecordingPanel } from './panels/recording.ts';
import { linkOf, type Look, type Rights, ScenePanel } from './panels/scene.ts';
import { ReportPanel, worstOf, type ReportSection } from './panels/report.ts';
import { ThemeSwitch } from './theme.ts';
import { Transport } from './transport.ts';

interface Row {
  source: Source;
  /** One of the source's clips, or those that play together. */
  indices: number[];
}

const clipsOf = ({ source, indices }: Row): Clip[] => indices.map(index => source.file.scene!.clips[index]!);
const titleOf = (row: Row): string => (row.indices.length === 1 ? clipsOf(row)[0]!.name : TOGETHER);

/** A file, and what it asks for: its key, or the file that holds its data. */
interface Waiting {
  given: GivenFile;
  need: Need;
  shelf: Shelf;
  motions: GivenFile[];
  sources: Source[];
  notes: string[];
}

/** Which way a model looks is taken for known from this certainty on. */
const SURE = 0.5;

/** Seconds. */
const lengthOf = (row: Row): number => Math.max(0, ...clipsOf(row).map(({ duration }) => duration));
/** What is shorter does not start unasked where there is something longer; seconds. */
const TWITCH = 0.5;

const MOST_MOTION_FILES = 300;
/** Placed files that are listed with their findings. */
const MOST_PLACED = 50;

/** Tabs of the side, in their order. */
const Tab = { recording: 0, motions: 1, scene: 2, morphs: 3, parts: 4, report: 5 } as const;

export class Viewer {
  readonly root: HTMLElement;
  readonly stage: Stage;
  readonly playback = new Playback();
  /** Settles when what was asked for last is done. */
  idle: Promise<void> = Promise.resolve();

  #model: Model | null = null;
  #sources: Source[] = [];
  /** How the sources suit the model on the stage; nothing where there is none. */
  #suits = new Map<Source, Suit>();
  /** Motions that somebody gave last and that do not start, as they were made for another skeleton. */
  #refused: readonly Source[] = [];
  #rows: Row[] = [];
  #selected = -1;
  #shelf = new Shelf();
  #demo: Demo | null = null;
  #reading: Reading = 'auto';
  #lockRoot = false;
  #loads = 0;
  #abort: AbortController | null = null;
  #meanings = new Map<string, string>();
  #skeleton: SkeletonOverlay | null = null;
  #recording: RecordingOverlay | null = null;
  #gizmos: GizmoOverlay | null = null;
  #springsOn = true;
  /** A file that cannot be read before somebody gives what it asks for. */
  #waiting: Waiting | null = null;
  /** The time has jumped: what fades or trails behind starts anew. */
  #jumped = false;
  #shownTime = 0;
  #trails = false;
  #showBones = false;
  #wire = false;
  #listeners = new AbortController();
  #theme: ThemeSwitch;
  #noted: string[] = [];
  /** A question is open: nothing is being worked on. */
  #asks = false;

  #clips = new ClipPanel();
  #morphs = new MorphPanel();
  #scene = new ScenePanel();
  #parts = new PartPanel();
  #recorded = new RecordingPanel();
  #report = new ReportPanel(code => this.#meanings.get(code) ?? '');
  #transport = new Transport(this.playback);
  #title = el('h1', { class: 'title' });
  #live = el('div', { class: 'sr-only', role: 'status', 'aria-live': 'polite' });
  #host = el('div', { class: 'canvas' });
  #label = el('div', { class: 'bone-label', hidden: true });
  #finder = el(
    'div',
    { class: 'finder', hidden: true },
    el('button', { type: 'button', class: 'button', onclick: () => this.lookThrough(false) }, icon('close'), 'Leave the recorded camera'),
  );
  #demos = el(
    'div',
    { class: 'demos', role: 'group', 'aria-label': 'Demos' },
    ...demos.map(({ id, name }) => el('button', { type: 'button', 'data-demo': id, onclick: () => void this.openDemo(id) }, name)),
  );
  #tools: Record<'bones' | 'wire' | 'colors' | 'grid', HTMLButtonElement>;
  #colorLayer = 0;
  #welcome: HTMLElement;
  #trouble = el('section', { class: 'card trouble', role: 'alert', hidden: true });
  #hint = el('div', { class: 'hint', hidden: true });
  #busy: HTMLElement;
  #busyText = el('span', {});
  #busyBar = el('progress', { 'aria-label': 'Loading', max: 1 });
  #veil = el(
    'div',
    { class: 'veil', 'aria-hidden': 'true' },
    el('div', {}, icon('drop'), el('strong', {}, 'Drop it'), el('span', {}, 'models, motions, textures, whole folders')),
  );
  #lost = el(
    'div',
    { class: 'card lost', role: 'alert', hidden: true },
    el('p', {}, 'The graphics card took the picture away. It comes back by itself in a moment; if not, reload the page.'),
  );
  #filePicker: HTMLInputElement;
  #folderPicker: HTMLInputElement;
  #tabs: { button: HTMLButtonElement; panel: HTMLElement; badge: HTMLElement }[] = [];
  #themeButton: HTMLButtonElement;

  constructor(root: HTMLElement) {
    this.root = root;
    root.classList.add('rigcast');
    const { signal } = this.#listeners;

    const pick = (input: HTMLInputElement): void => {
      const files = filesOfList([...(input.files ?? [])]);
      input.value = '';
      if (files.files.length > 0) void this.take(files);
    };
    this.#filePicker = el('input', {
      type: 'file',
      multiple: true,
      hidden: true,
      'aria-hidden': 'true',
      onchange: () => pick(this.#filePicker),
    });
    this.#folderPicker = el('input', {
      type: 'file',
      webkitdirectory: true,
      hidden: true,
      'aria-hidden': 'true',
      onchange: () => pick(this.#folderPicker),
    });
    this.#themeButton = iconButton('moon', 'Dark or light', () => this.#theme.toggle());

    this.#tools = {
      bones: iconButton('bones', 'Skeleton (B)', () => this.toggleBones(), { 'aria-pressed': 'false' }),
      wire: iconButton('wire', 'Wireframe (W)', () => this.toggleWire(), { 'aria-pressed': 'false' }),
      colors: iconButton('colors', 'Vertex colours (C)', () => this.toggleColors(), { 'aria-pressed': 'false' }),
      grid: iconButton('grid', 'Grid (G)', () => this.toggleGrid(), { 'aria-pressed': 'true' }),
    };
    this.#welcome = this.#makeWelcome();
    this.#busy = el(
      'div',
      { class: 'busy', hidden: true },
      this.#busyBar,
      this.#busyText,
      el('button', { type: 'button', class: 'plain', onclick: () => this.cancel() }, 'Cancel'),
    );

    const header = el(
      'header',
      {},
      el('a', { class: 'brand', href: 'https://www.npmjs.com/package/rigcast', rel: 'noopener' }, brandMark(), el('span', {}, 'rigcast')),
      this.#title,
      el(
        'nav',
        { 'aria-label': 'Open' },
        el(
          'button',
          { type: 'button', class: 'button', onclick: () => this.#filePicker.click(), title: 'Open files (O)' },
          icon('file'),
          el('span', {}, 'Open'),
        ),
        el(
          'button',
          { type: 'button', class: 'button', onclick: () => this.#folderPicker.click(), title: 'Open a folder' },
          icon('folder'),
          el('span', {}, 'Folder'),
        ),
        this.#themeButton,
        iconButton('help', 'Keys and help (?)', () => this.#showHelp()),
      ),
    );
    const tools = el(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': 'View', 'aria-orientation': 'vertical' },
      iconButton('reset', 'Show all of it (R)', () => this.#resetView()),
      this.#tools.bones,
      this.#tools.wire,
      this.#tools.colors,
      this.#tools.grid,
    );
    const main = el(
      'main',
      { class: 'stage' },
      this.#host,
      this.#finder,
      this.#label,
      tools,
      this.#demos,
      this.#welcome,
      this.#trouble,
      this.#lost,
      this.#busy,
    );

    const side = el('aside', { class: 'side', 'aria-label': 'Details' });
    const tablist = el('div', { class: 'tabs', role: 'tablist' });
    side.append(tablist);
    for (const [name, panel] of [
      ['Recording', this.#recorded.element],
      ['Motions', this.#clips.element],
      ['Scene', this.#scene.element],
      ['Morphs', this.#morphs.element],
      ['Parts', this.#parts.element],
      ['Report', this.#report.element],
    ] as const) {
      const badge = el('span', { class: 'badge', hidden: true });
      const id = `panel-${name.toLowerCase()}`;
      const at = this.#tabs.length;
      const button = el(
        'button',
        { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id, onclick: () => this.showTab(at) },
        name,
        badge,
      );
      panel.id = id;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `${id}-tab`);
      tablist.append(button);
      side.append(panel);
      this.#tabs.push({ button, panel, badge });
    }
    tablist.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      let at = this.#tabs.findIndex(tab => tab.button === document.activeElement);
      do at = (at + step + this.#tabs.length) % this.#tabs.length;
      while (this.#tabs[at]!.button.hidden);
      this.showTab(at, true);
    });
    this.#tabs[Tab.recording]!.button.hidden = true;
    this.showTab(Tab.motions);
    fill(root, header, main, this.#hint, this.#transport.element, side, this.#live, this.#veil, this.#filePicker, this.#folderPicker);

    this.stage = new Stage(this.#host, {
      tick: seconds => this.#tick(seconds),
      posed: seconds => this.#posed(seconds),
      drawn: () => this.#drawn(),
      context: lost => {
        this.#lost.hidden = !lost;
      },
    });
    this.stage.canvas.setAttribute('role', 'img');
    this.#describe('');
    this.stage.followed = () =>
      this.#model?.bones[0] && !this.#lockRoot ? this.#model.bones[0].getWorldPosition(new Vector3()).setY(0) : null;
    this.#theme = new ThemeSwitch(root, theme => {
      setIcon(this.#themeButton, theme === 'dark' ? 'sun' : 'moon');
      const style = getComputedStyle(root);
      const value = (name: string): string => style.getPropertyValue(name).trim();
      this.#recording?.setColors(this.#recordingColors());
      this.stage.setColors({
        grid: value('--grid') || '#888888',
        gridOpacity: Number(value('--grid-opacity') || 0.4),
        shadowOpacity: Number(value('--shadow-opacity') || 0.4),
      });
    });

    this.playback.onChange = () => this.#transport.update();
    this.playback.onPose = () => {
      this.#jumped = true;
      this.stage.invalidate();
    };
    this.#recorded.onSeek = time => {
      this.playback.pause();
      this.playback.seek(time);
    };
    this.#recorded.onTrails = on => this.showTrails(on);
    this.#recorded.onCamera = on => this.lookThrough(on);
    this.#transport.onLockRoot = locked => {
      this.#lockRoot = locked;
      this.#rebind();
    };
    this.#transport.onReading = reading => {
      const isReadAgain = (reading === 'everything') !== (this.#reading === 'everything');
      this.#reading = reading;
      if (isReadAgain) void this.#load('Reading the motions again …', context => this.#complete(context, [], [], this.#noted, [], true));
      else this.#rebind();
    };
    root.classList.add('empty');
    this.#clips.onPick = index => this.select(index);
    this.#scene.onSprings = on => this.swing(on);
    this.#scene.onRest = () => this.#settle();
    this.#scene.onLook = (look, on) => this.showLook(look, on);
    this.#scene.onLink = address => this.#askLink(address);
    this.#scene.onChange = () => {
      this.#morphs.update();
      this.stage.invalidate();
    };
    this.#morphs.onChange = this.#parts.onChange = () => this.stage.invalidate();

    this.#listen(signal);
    void codes().then(
      table => {
        for (const { code, sentence } of table) this.#meanings.set(code, sentence);
        this.#refreshReport();
      },
      () => {},
    );
  }

  // ---------------------------------------------------------------------------------------------- opening

  /** Opens what somebody gave. A later call wins over this one. */
  take(given: Given | Promise<Given> | ((signal: AbortSignal) => Promise<Given>)): Promise<void> {
    return this.#load('Looking through the files …', async context => {
      // Who looks through a slow folder cannot be stopped, but need not be waited for.
      const { files, truncated } = await unlessAborted(
        Promise.resolve(typeof given === 'function' ? given(context.signal) : given),
        context.signal,
      );
      const sorted = await sortFiles(files);
      context.signal.throwIfAborted();
      const notes = truncated ? [`Only the first ${count(MAX_FILES)} files were looked at.`] : [];
      const own = this.#demo !== null ? null : this.#model;
      const waiting = this.#waiting;
      const todo = plan(sorted, { missing: own?.missingFiles ?? null, waitingFor: waiting?.need ?? null });
      if (todo.kind === 'answer' && waiting) {
        waiting.shelf.add(todo.shelve);
        waiting.shelf.answer(waiting.need, todo.answer.file);
        await this.#replace(
          { ...context, shelf: waiting.shelf },
          waiting.given,
          [...waiting.motions, ...todo.motions],
          waiting.sources,
          waiting.notes,
          null,
        );
      } else if (todo.kind === 'join') {
        const shelf = own || !this.#demo ? this.#shelf : new Shelf();
        shelf.add(todo.companions);
        await this.#complete({ ...context, shelf }, todo.motions, todo.companions, notes);
      } else if (todo.kind === 'open') {
        const { candidates, worlds } = todo;
        const shown = candidates.length > 1 && worlds.length > 0 ? await unplaced(candidates, worlds, context) : candidates;
        const chosen = shown.length === 1 ? shown[0] : await this.#choose(shown, context.signal);
        if (!chosen) return;
        const shelf = new Shelf();
        // Models too: a world places them.
        shelf.add([...todo.shelve, ...candidates.filter(given => given !== chosen)]);
        // What came before any model waits for it.
        const sources = own || this.#demo ? [] : this.#sources;
        if (!own && !this.#demo) shelf.add(this.#shelf.list());
        await this.#replace({ ...context, shelf }, chosen, todo.motions, sources, notes, null);
      } else if (todo.kind === 'refuse') {
        this.#shelf.add(todo.companions);
        throw nothingToShow(todo.companions);
      }
    });
  }

  /** One of the list in demos.ts by its id, else the first. */
  openDemo(id?: string): Promise<void> {
    const demo = demos.find(one => one.id === id) ?? demos[0]!;
    return this.#load('', async context => {
      const fetched = async ({ name, address }: DemoFile): Promise<GivenFile> => {
        const response = await fetch(address, { signal: context.signal });
        if (!response.ok) throw new Error(`The demo could not be fetched (${response.status}).`);
        return { path: name, file: new File([await response.blob()], name) };
      };
      const all = (files: DemoFile[] = []): Promise<GivenFile[]> => Promise.all(files.map(fetched));
      const [model, motions, companions] = await Promise.all([fetched(demo.model), all(demo.motions), all(demo.companions)]);
      const shelf = new Shelf();
      shelf.add(companions);
      await this.#replace({ ...context, shelf }, model, motions, [], [], demo);
    });
  }

  /** Files from the network, by addresses that the visitor typed: only http and https, and only where the server allows it (CORS). */
  openAddresses(addresses: string[]): Promise<void> {
    return this.take(async signal => {
      const files = await Promise.all(
        addresses.slice(0, 32).map(async (address): Promise<GivenFile> => {
          const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
          if (!url) throw new Refusal(`“${address.slice(0, MOST_ADDRESS)}” is no address.`, 'Drop the file on the page instead.');
          if (url.protocol !== 'http:' && url.protocol !== 'https:')
            throw new Refusal('Only http and https addresses can be opened.', 'Drop the file on the page instead.');
          const response = await fetch(url, { credentials: 'same-origin', signal }).catch(() => null);
          signal.throwIfAborted();
          const name = decodeURIComponent(url.pathname.split('/').at(-1) || 'file');
          if (!response)
            throw new Refusal(
              `${name} could not be fetched.`,
              'Its server must allow other pages to read it (CORS), and it must be reached. Download the file and drop it here.',
            );
          if (!response.ok) throw new Refusal(`${name} could not be fetched (${response.status}).`, reasonOf(response.status));
          return { path: name, file: new File([await response.blob()], name) };
        }),
      );
      return { files, truncated: false };
    });
  }

  cancel(): void {
    this.#abort?.abort();
  }

  /** Takes everything away. */
  close(): void {
    this.cancel();
    this.#clear();
    this.#shelf = new Shelf();
    this.#sources = [];
    this.#demo = null;
    this.#waiting = null;
    this.#refresh();
    this.#welcome.hidden = false;
  }

  dispose(): void {
    this.cancel();
    this.#loads++;
    this.#listeners.abort();
    this.#clear();
    this.#theme.dispose();
    this.stage.dispose();
    this.root.replaceChildren();
  }

  /** One load at a time: a new one ends the one before. */
  #load(text: string, work: (context: OpenContext) => Promise<void>): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    const token = ++this.#loads;
    this.#showTrouble(null);
    const timer = setInterval(() => {
      if (this.#asks) return;
      clearInterval(timer);
      if (token === this.#loads) this.#showBusy(text || 'Loading …');
    }, 150);
    const context: OpenContext = {
      shelf: this.#shelf,
      signal: abort.signal,
      draws: extension => this.stage.renderer.extensions.has(extension),
      // Lines are one pixel of the screen wide, which fine screens hardly show.
      strandWidth: devicePixelRatio > 1 ? STRAND_WIDTH : 0,
      onProgress: ({ loaded, total, phase }) => {
        if (token !== this.#loads) return;
        if (total && phase !== 'decode') this.#busyBar.value = loaded / total;
        else this.#busyBar.removeAttribute('value');
      },
      onPlaced: (done, total) => {
        if (token !== this.#loads) return;
        this.#showBusyText(`Placing ${count(done)} of ${plural(total, 'file')} …`);
        this.#busyBar.value = done / total;
      },
    };
    const run = work(context)
      .catch((error: unknown) => {
        if (abort.signal.aborted) {
          if (token === this.#loads) this.#announce('Cancelled.');
          return;
        }
        this.#showTrouble(
          error instanceof Refusal ? error : new Refusal('That did not work.', error instanceof Error ? error.message : String(error)),
        );
      })
      .finally(() => {
        clearInterval(timer);
        if (token === this.#loads) {
          this.#busy.hidden = true;
          this.#abort = null;
          this.stage.invalidate();
        }
      });
    this.idle = run;
    return run;
  }

  /** A new model takes the stage. */
  async #replace(
    context: OpenContext,
    given: GivenFile,
    motions: GivenFile[],
    waiting: Source[],
    notes: string[],
    demo: Demo | null,
  ): Promise<void> {
    const { signal } = context;
    if (!demo) this.#showBusyText(`Opening ${given.file.name} …`);
    const file = await openFile(given, context);
    signal.throwIfAborted();
    const need = file.needs.find(({ kind, required }) => required && (kind === 'key' || kind === 'resource'));
    this.#waiting = need ? { given, need, shelf: context.shelf, motions, sources: waiting, notes } : null;
    if (!file.scene) throw need ? requestOf(file, given, need) : refusalOf(file, given);
    if (file.scene.renderers.length === 0 && file.scene.nodes.count <= 1 && file.scene.clips.length > 0) {
      // A container that can hold either held motions only.
      this.#shelf = context.shelf;
      await this.#complete(context, [given, ...motions], [], notes, [{ given, file }]);
      return;
    }
    const first = [...(file.scene.clips.length > 0 ? [{ given, file }] : []), ...waiting];
    const sources = await this.#openMotions(context, motions, first, notes);
    const model = await buildModel(given, file, context);
    if (signal.aborted) disposeModel(model);
    signal.throwIfAborted();
    // From here on nothing waits: the old one goes, the new one stands.
    const old = this.#clear(false);
    this.#model = model;
    this.#sources = sources;
    this.#shelf = context.shelf;
    this.#demo = demo;
    this.#noted = notes;
    this.#reading = 'auto';
    this.#present(model, true);
    if (this.#wire) setWireframe(model.rig.scene, true);
    this.#refresh();
    this.#welcome.hidden = !demo;
    this.showTab(this.#recording ? Tab.recording : Tab.motions);
    const { starting } = model.rig;
    const chosen = this.#rows.findIndex(
      row => row.source.given === given && starting.length > 0 && starting.every(index => row.indices.includes(index)) && lengthOf(row) > 0,
    );
    const start = chosen >= 0 ? chosen : this.#firstToPlay(row => lengthOf(row) > 0);
    this.select(start, !matchMedia('(prefers-reduced-motion: reduce)').matches);
    // Drawn once before the old one is disposed of, so that what both use (shaders) need not be made again.
    this.stage.drawNow();
    if (old) disposeModel(old);
    this.#announce(`${given.file.name} is shown. ${plural(this.#motionCount, 'motion')}.`);
  }

  /** Of the motions that suit the model the first that is more than a twitch, else the first of them all; −1 where none suits. */
  #firstToPlay(isMeant: (row: Row) => boolean): number {
    const suiting = this.#rows.map((row, index) => ({ row, index })).filter(({ row }) => isMeant(row) && this.#suits.get(row.source)!.fits);
    const longest = Math.max(0, ...suiting.map(({ row }) => lengthOf(row)));
    return suiting.find(({ row }) => lengthOf(row) >= Math.min(TWITCH, longest))?.index ?? -1;
  }

  /** Opens files of motions; `first` are there already. Some unreadable ones among others are only noted. */
  async #openMotions(context: OpenContext, motions: GivenFile[], first: Source[], notes: string[]): Promise<Source[]> {
    const opened = [...first];
    const skipped: string[] = [];
    if (motions.length > MOST_MOTION_FILES) notes.push(`Only the first ${MOST_MOTION_FILES} motion files were opened.`);
    for (const [at, given] of motions.slice(0, MOST_MOTION_FILES).entries()) {
      if (opened.some(source => source.given.path === given.path && source.given.file === given.file)) continue;
      if (motions.length > 1) this.#showBusyText(`Opening motions, ${at + 1} of ${motions.length} …`);
      const file = await openFile(given, context);
      context.signal.throwIfAborted();
      if (file.scene) opened.push({ given, file });
      else if (motions.length === 1 && first.length === 0) throw refusalOf(file, given);
      else skipped.push(given.file.name);
    }
    if (skipped.length > 0)
      notes.push(
        `${plural(skipped.length, 'motion file')} could not be read: ${skipped.slice(0, 3).join(', ')}${skipped.length > 3 ? ' …' : ''}`,
      );
    return opened;
  }

  /** Motions and companions join what is there. */
  async #complete(
    given: OpenContext,
    motions: GivenFile[],
    companions: GivenFile[],
    notes: string[],
    ready: Source[] = [],
    isReadAgain = false,
  ): Promise<void> {
    const context: OpenContext = this.#reading === 'everything' ? { ...given, formatOptions: { unreal: { motion: 'everything' } } } : given;
    const { signal, shelf } = context;
    const own = this.#demo !== null ? null : this.#model;
    // What asked for one of the new companions is read again with it; so is the model, whose textures may now be found.
    const names = new Set(companions.map(({ file }) => file.name.toLowerCase()));
    const kept = own || !this.#demo ? this.#sources : [];
    const again: Source[] = [];
    for (const source of kept) {
      const wants =
        source.given !== own?.given &&
        (isReadAgain ||
          source.file.needs.some(need => names.has(need.name.toLowerCase())) ||
          [...names].some(name => name.endsWith('.config')));
      again.push(wants ? { given: source.given, file: await openFile(source.given, context) } : source);
      signal.throwIfAborted();
    }
    const fresh = await this.#openMotions(context, motions, ready, notes);
    const replaced = again.filter(source => !fresh.some(other => other.given.file.name === source.given.file.name));
    let model = own;
    if (own && companions.length > 0) {
      const wants = own.file.needs.some(need => names.has(need.name.toLowerCase()));
      const file = wants ? await openFile(own.given, context) : own.file;
      signal.throwIfAborted();
      if (file.scene) model = await buildModel(own.given, file, context);
      if (signal.aborted && model !== own) disposeModel(model!);
      signal.throwIfAborted();
    }
    const current = this.#rows[this.#selected];
    const currentName = current && titleOf(current);
    const currentPath = current?.source.given.path;
    const { time, playing } = this.playback;
    this.playback.select(null);
    if (model !== own || !own) {
      this.#clear();
      this.#model = model;
      this.#present(model, false);
      if (model && this.#wire) setWireframe(model.rig.scene, true);
    }
    this.#sources = [
      ...replaced.map(source => (model && source.given === model.given ? { given: source.given, file: model.file } : source)),
      ...fresh,
    ];
    this.#shelf = shelf;
    this.#demo = null;
    this.#noted = notes;
    this.#refresh();
    this.#welcome.hidden = model !== null;
    if (model) {
      const first = this.#firstToPlay(row => fresh.includes(row.source));
      this.#refused = first < 0 ? fresh : [];
      // What was made for another skeleton does not take the place of what plays.
      const isCurrent = (row: Row): boolean => titleOf(row) === currentName && row.source.given.path === currentPath;
      this.select(
        first >= 0 ? first : this.#rows.findIndex(isCurrent),
        first >= 0 ? !matchMedia('(prefers-reduced-motion: reduce)').matches : playing,
      );
      if (first < 0) this.playback.seek(time);
    }
    this.#announce(
      fresh.length > 0
        ? `${plural(
            fresh.reduce((sum, { file }) => sum + file.scene!.clips.length, 0),
            'motion',
          )} added.`
        : isReadAgain
          ? 'Read again.'
          : 'Added to the model.',
    );
  }

  /** Puts a model on the empty stage; a recording gets its hands, head and gaze. */
  #present(model: Model | null, frame: boolean): void {
    if (!model) return this.stage.show(null);
    const { rig, file, isAvatar, lamps, sky } = model;
    if (isAvatar) rig.scene.rotation.y = Math.PI; // it looks at us
    rig.springs?.turnWorld(rig.scene.quaternion);
    rig.scene.updateMatrixWorld(true);
    this.#springsOn = true;
    rig.springs?.reset();
    const isToon = file.scene!.materials.some(({ model: kind }) => kind === 'mtoon' || kind === 'liltoon');
    this.stage.lighting = lamps.length > 0 ? 'content' : isToon ? 'toon' : 'studio';
    this.stage.sky = isAvatar ? null : sky;
    this.#recording = RecordingOverlay.of(rig, this.#recordingColors());
    if (!this.#recording) {
      const facing = facingOf(file.scene!.nodes, [0, 1, 0]);
      const forward = facing && facing.certainty >= SURE ? new Vector3(...facing.forward).applyQuaternion(rig.scene.quaternion) : undefined;
      this.stage.show(rig.scene, frame, { direction: firstLook(forward) });
      if (this.stage.extent) fitShadows(lamps, this.stage.extent.box);
      this.#gizmos = GizmoOverlay.of(file.scene!, rig.nodes, (this.stage.extent?.radius ?? 1) * 0.12);
      if (this.#gizmos) this.stage.overlays.add(this.#gizmos.object);
      return;
    }
    this.#recording.trails = this.#trails;
    const both = new Group().add(rig.scene, this.#recording.object);
    const played = file.scene!.clips.length > 0 ? new PlayedMotion(model, { given: model.given, file }, [0], 'file', false) : null;
    const view = recordingView(rig, played?.duration ?? 0, time => played?.seek(time));
    played?.stop();
    this.stage.show(both, frame, view);
  }

  #recordingColors(): RecordingColors {
    const style = getComputedStyle(this.root);
    const value = (name: string, other: string): string => style.getPropertyValue(name).trim() || other;
    return {
      skin: value('--skin', '#e6cfc0'),
      pinch: value('--pinch', '#0fa89f'),
      camera: value('--camera', '#6b7078'),
      gaze: value('--gaze', '#d9822b'),
    };
  }

  /** The stage is empty; the model that stood there is disposed of, or given back for that. */
  #clear(dispose = true): Model | null {
    const old = this.#model;
    this.playback.select(null);
    this.#skeleton?.dispose();
    this.#skeleton = null;
    this.#recording?.dispose();
    this.#recording = null;
    this.#gizmos?.dispose();
    this.#gizmos = null;
    this.stage.sky = null;
    this.stage.lighting = 'studio';
    this.#label.hidden = true;
    this.stage.show(null);
    if (dispose && old) disposeModel(old);
    this.#model = null;
    this.#rows = [];
    this.#selected = -1;
    return old;
  }

  // ---------------------------------------------------------------------------------------------- showing

  get model(): Model | null {
    return this.#model;
  }

  /** Names of the motions as listed. */
  get motionNames(): string[] {
    return this.#rows.map(titleOf);
  }

  get selected(): number {
    return this.#selected;
  }

  get #motionCount(): number {
    return this.#rows.filter(({ indices }) => indices.length === 1).length;
  }

  /** Puts a motion on the model, −1 the rest pose. */
  select(index: number, play = true): void {
    const row = this.#rows[index];
    this.#selected = row ? index : -1;
    if (!this.#model) return;
    this.playback.select(row ? new PlayedMotion(this.#model, row.source, row.indices, this.#reading, this.#lockRoot) : null, play);
    if (!this.#recording) {
      // What happens in a motion, at its time.
      const markers = (row?.indices ?? []).flatMap(at => row!.source.file.scene!.clips[at]!.events).toSorted((a, b) => a.time - b.time);
      this.stage.frame(this.playback.motion);
      this.#transport.showCourse(markers.length > 0 ? { duration: this.playback.duration, hands: [], markers, hasCamera: false } : null);
    }
    this.#clips.select(this.#selected);
    this.#settle();
    this.#morphs.update();
    this.#refreshReport();
  }

  /** Spring bones on or off. */
  swing(on: boolean): void {
    const springs = this.#model?.rig.springs;
    if (!springs) return;
    this.#springsOn = springs.isOn = on;
    this.stage.invalidate();
  }

  /** What swings hangs still again. */
  #settle(): void {
    this.#model?.rig.springs?.reset();
    this.stage.invalidate();
  }

  /** The file's sky or lights, or outlines of what has no surface. */
  showLook(look: Look, on: boolean): void {
    if (!this.#model) return;
    const { lamps, sky, file } = this.#model;
    if (look === 'sky') {
      this.stage.sky = on ? sky : null;
    } else if (look === 'lamps') {
      for (const lamp of lamps) lamp.visible = on;
      const isToon = file.scene!.materials.some(({ model: kind }) => kind === 'mtoon' || kind === 'liltoon');
      this.stage.lighting = on ? 'content' : isToon ? 'toon' : 'studio';
    } else {
      this.#gizmos?.show(look, on);
    }
    this.stage.invalidate();
  }

  #tick(seconds: number): boolean {
    // What is being opened comes first: every frame takes time from it, where drawing is slow nearly all of it.
    if (this.#abort) return false;
    const isPlaying = this.playback.tick(seconds);
    const isMoving = this.#model?.rig.live(seconds) ?? false;
    return isPlaying || isMoving;
  }

  #rebind(): void {
    const { time, playing } = this.playback;
    this.select(this.#selected, playing);
    this.playback.seek(time);
  }

  showTab(at: number, focus = false): void {
    this.#tabs.forEach(({ button, panel }, index) => {
      button.setAttribute('aria-selected', String(index === at));
      button.tabIndex = index === at ? 0 : -1;
      panel.hidden = index !== at;
    });
    if (focus) this.#tabs[at]!.button.focus();
    if (at === Tab.motions) this.#clips.reveal();
  }

  toggleBones(): void {
    this.#showBones = !this.#showBones;
    this.#tools.bones.setAttribute('aria-pressed', String(this.#showBones));
    this.#updateSkeleton();
  }

  toggleWire(): void {
    this.#wire = !this.#wire;
    this.#tools.wire.setAttribute('aria-pressed', String(this.#wire));
    if (this.#model) setWireframe(this.#model.rig.scene, this.#wire);
    this.stage.invalidate();
  }

  #markColors(areShown: boolean, layers: number): void {
    const { colors } = this.#tools;
    colors.setAttribute('aria-pressed', String(areShown));
    colors.title = `Vertex colours${areShown && layers > 1 ? `, layer ${this.#colorLayer + 1} of ${layers}` : ''} (C)`;
    colors.setAttribute('aria-label', colors.title);
  }

  toggleColors(): void {
    const rig = this.#model?.rig;
    if (!rig || !hasVertexColors(rig.scene)) return;
    // One layer after the other, then none.
    this.#colorLayer = vertexColorsShown(rig.scene) ? this.#colorLayer + 1 : 0;
    const isShown = this.#colorLayer < rig.colorLayers;
    if (isShown) rig.showColorLayer(this.#colorLayer);
    setVertexColors(rig.scene, isShown);
    this.#markColors(isShown, rig.colorLayers);
    this.stage.invalidate();
  }

  /** The picture as the recorded head saw it, or the visitor's own again. */
  lookThrough(on: boolean): void {
    this.stage.eye = on ? (this.#recording?.camera ?? null) : null;
    this.#updateEye();
    this.stage.invalidate();
  }

  get looksThrough(): boolean {
    return this.stage.eye !== null;
  }

  showTrails(on: boolean): void {
    this.#trails = on;
    if (this.#recording) this.#recording.trails = on;
    this.#updateEye();
    this.stage.invalidate();
  }

  get recording(): RecordingOverlay | null {
    return this.#recording;
  }

  #updateEye(): void {
    const { eye } = this.stage;
    if (this.#recording) this.#recording.gizmos = eye === null;
    this.#finder.hidden = eye === null;
    this.root.classList.toggle('eye', eye !== null);
    this.#recorded.update(this.#trails, eye !== null);
  }

  #resetView(): void {
    this.stage.resetView();
    this.#updateEye();
  }

  toggleGrid(): void {
    this.stage.ground.gridVisible = !this.stage.ground.gridVisible;
    this.#tools.grid.setAttribute('aria-pressed', String(this.stage.ground.gridVisible));
    this.stage.invalidate();
  }

  #updateSkeleton(): void {
    this.#skeleton?.dispose();
    this.#skeleton = null;
    this.#label.hidden = true;
    if (this.#model && this.#model.bones.length > 0 && (this.#showBones || isBare(this.#model))) {
      this.#skeleton = new SkeletonOverlay(this.#model.bones, (this.stage.extent?.radius ?? 1) * 0.06);
      this.stage.overlays.add(this.#skeleton.object);
    }
    this.stage.invalidate();
  }

  #refresh(): void {
    const model = this.#model;
    const scene = model?.rig.scene ?? null;
    this.#refused = [];
    this.#suits = new Map(model ? this.#sources.map(source => [source, suitOf(model, source)]) : []);
    const rankOf = (source: Source): number => this.#suits.get(source)?.rank ?? 0;
    // What was made for this model comes first; otherwise in the order of their names.
    this.#rows = this.#sources
      .toSorted((a, b) => rankOf(b) - rankOf(a))
      .flatMap(source => {
        const rows = (source.file.scene?.clips ?? []).map((_, index): Row => ({ source, indices: [index] }));
        const starting = source.given === model?.given ? model.rig.starting : [];
        return starting.length > 1 ? [{ source, indices: [...starting] }, ...rows] : rows;
      });
    this.#clips.set(
      this.#rows.map(row => {
        const clips = clipsOf(row);
        const { frameRate, frameCount } = clips.length === 1 ? clips[0]! : { frameRate: 0, frameCount: 0 };
        return {
          name: titleOf(row),
          duration: lengthOf(row),
          frameRate,
          frameCount,
          source: row.source.given.file.name,
          misfit: misfitOf(this.#suits.get(row.source)),
        };
      }),
      this.#selected,
    );
    const clip = model?.file.scene?.clips[0];
    const facts =
      this.#recording && clip
        ? { duration: clip.duration, hands: handSpans(clip), markers: clip.events, hasCamera: this.#recording.camera !== null }
        : null;
    if (facts) {
      this.#recorded.set(facts);
      // The frame shows what the camera saw: its shape is the recording's.
      this.#finder.style.setProperty('--aspect', String(this.#recording!.camera?.aspect ?? 1));
    }
    this.#transport.showCourse(facts);
    for (const [tab, shown] of [
      [Tab.recording, facts !== null],
      [Tab.morphs, facts === null],
      [Tab.parts, facts === null],
    ] as const)
      this.#tabs[tab]!.button.hidden = !shown;
    if (this.#tabs.some(({ button }) => button.hidden && button.getAttribute('aria-selected') === 'true'))
      this.showTab(facts ? Tab.recording : Tab.motions);
    this.#updateEye();
    const isShown = this.#refreshScene(model);
    if (!isShown && this.#tabs[Tab.scene]!.button.getAttribute('aria-selected') === 'true') this.showTab(Tab.motions);
    this.#tabs[Tab.scene]!.button.hidden = !isShown;
    const morphed = scene ? meshesOf(scene).filter(mesh => mesh.morphTargetInfluences?.length) : [];
    this.#morphs.set(this.#morphRows(morphed));
    this.#parts.set(scene ? partsOf(scene, nameOf) : []);
    const hasColors = scene !== null && hasVertexColors(scene);
    this.#tools.colors.disabled = !hasColors;
    this.#markColors(scene !== null && vertexColorsShown(scene), 0);
    const isBonesOnly = model !== null && model.bones.length > 0 && isBare(model);
    this.#tools.bones.disabled = model === null || model.bones.length === 0 || isBonesOnly;
    this.#tools.bones.setAttribute('aria-pressed', String(this.#showBones || isBonesOnly));
    this.#tools.wire.disabled = this.#recording !== null;
    this.#tabs[Tab.motions]!.badge.textContent = count(this.#motionCount);
    this.#tabs[Tab.motions]!.badge.hidden = this.#motionCount === 0;
    const morphCount = new Set(morphed.flatMap(mesh => Object.keys(mesh.morphTargetDictionary ?? {}))).size;
    this.#tabs[Tab.morphs]!.badge.textContent = count(morphCount);
    this.#tabs[Tab.morphs]!.badge.hidden = morphCount === 0;
    const name = model?.given.file.name ?? this.#sources[0]?.given.file.name ?? '';
    this.#title.textContent = this.#demo ? `${this.#demo.name}, a demo` : name;
    this.#title.title = name;
    document.title = name && !this.#demo ? `${name} – rigcast` : 'rigcast viewer';
    this.#describe(name);
    this.#transport.showReadings(this.#rows.length > 0 && this.#recording === null, this.#reading);
    this.root.classList.toggle('empty', model === null);
    this.root.classList.toggle('demo', this.#demo !== null);
    this.#demos.hidden = this.#demo === null;
    for (const button of this.#demos.querySelectorAll('button')) {
      const isOpen = button.dataset.demo === this.#demo?.id;
      button.setAttribute('aria-pressed', String(isOpen));
      if (isOpen) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    this.#updateSkeleton();
    this.#refreshReport();
  }

  /** False where the file has nothing of the kind. */
  #refreshScene(model: Model | null): boolean {
    if (!model || this.#recording) return false;
    const { rig, file, lamps, sky } = model;
    const { features, nodes, asset } = file.scene!;
    const looks: { id: Look; detail: string; on: boolean }[] = [];
    if (sky) looks.push({ id: 'sky', detail: '', on: this.stage.sky !== null });
    if (lamps.length > 0) looks.push({ id: 'lamps', detail: count(lamps.length), on: this.stage.lighting === 'content' });
    for (const kind of GIZMO_KINDS) {
      const some = this.#gizmos?.count(kind) ?? 0;
      if (some > 0) looks.push({ id: kind, detail: count(some), on: this.#gizmos!.isShown(kind) });
    }
    const rights: Rights[] = [
      rightsOf('', asset.properties?.['right'], asset),
      ...features.flatMap(({ kind, node, properties }) => (kind === 'right' ? [rightsOf(nodes.names[node ?? 0] ?? '', properties)] : [])),
    ].filter(({ rows }) => rows.length > 0);
    const facts = {
      expressions: rig.expressions.list.map(({ name, preset }, row) => ({
        name,
        preset,
        get: () => rig.expressions.list[row]!.weight,
        set: (weight: number) => void rig.expressions.setAt(row, weight),
      })),
      springs: rig.springs?.bones.length ?? 0,
      looks,
      particles: features.flatMap(feature =>
        feature.kind === 'particleSystem' ? [{ name: nodes.names[feature.node ?? 0] ?? '', facts: particleFacts(feature) }] : [],
      ),
      rights,
    };
    this.#scene.set(facts, this.#springsOn);
    return Object.values(facts).some(value => (Array.isArray(value) ? value.length > 0 : value > 0));
  }

  #morphRows(meshes: Mesh[]): MorphRow[] {
    const byName = new Map<string, { influences: number[]; index: number; maximum: number }[]>();
    for (const mesh of meshes) {
      for (const [name, index] of Object.entries(mesh.morphTargetDictionary ?? {})) {
        const places = byName.get(name) ?? [];
        const { maximum = 1 } = (mesh.userData['morphs'] as { maximum: number }[] | undefined)?.[index] ?? {};
        places.push({ influences: mesh.morphTargetInfluences!, index, maximum });
        byName.set(name, places);
      }
    }
    return [...byName].map(([name, places]) => ({
      name,
      maximum: Math.max(0, ...places.map(({ maximum }) => maximum)) || 1,
      get: () => places[0]!.influences[places[0]!.index] ?? 0,
      set: value => {
        for (const { influences, index, maximum } of places) influences[index] = Math.min(value, maximum);
      },
    }));
  }

  #refreshReport(): void {
    const model = this.#model;
    const sections: ReportSection[] = [];
    const describe = (file: RigFile): string =>
      [file.format?.toUpperCase(), file.version, bytes(file.byteLength)].filter(Boolean).join(' · ');
    if (model) {
      const { clips, instances } = model.file.scene!;
      // Of a world also what it places, each file once.
      const scenes = [model.file.scene!, ...model.rig.parts.map(({ file }) => file.scene!)];
      const meshes = scenes.flatMap(scene => scene.meshes);
      const sum = (of: (mesh: (typeof meshes)[number]) => number): string => count(meshes.reduce((total, mesh) => total + of(mesh), 0));
      const size = this.stage.extent!.box.getSize(new Vector3());
      const facts: [string, string][] = this.#recording
        ? [
            ['Length', `${(clips[0]?.duration ?? 0).toFixed(1)} s`],
            ['Markers', count(clips[0]?.events.length ?? 0)],
          ]
        : [
            ['Vertices', sum(mesh => mesh.vertexCount)],
            ['Triangles', sum(mesh => (mesh.indices?.length ?? 0) / 3)],
            ['Bones', count(scenes.reduce((total, { nodes }) => total + nodes.bones.filter(bone => bone >= 0).length, 0))],
            ['Materials', count(scenes.reduce((total, { materials }) => total + materials.length, 0))],
            ['Morphs', sum(mesh => mesh.morphs.length)],
            ['Size', metres(size.x, size.y, size.z)],
          ];
      if (clips.length > 0) facts.push(['Motions', count(clips.length)]);
      if (instances.length > 0)
        facts.push(
          ['Instances', count(instances.reduce((total, { names }) => total + names.length, 0))],
          ['of files', count(scenes.length - 1)],
        );
      sections.push({ name: model.given.file.name, about: describe(model.file), facts, report: model.rig.report });
      for (const { file, report } of model.rig.parts.filter(part => part.report.items.length > 0).slice(0, MOST_PLACED))
        sections.push({ name: file.name ?? '', about: `placed by ${model.given.file.name}`, facts: [], report });
    }
    const playing = this.playback.motion as PlayedMotion | null;
    const row = this.#rows[this.#selected];
    if (playing && row) {
      // What its file says of a motion already need not be said of it on this model again.
      const told = row.source.file.report.items;
      const own = playing.findings.filter(({ code }) => !told.some(item => item.code === code));
      if (own.length > 0)
        sections.push({
          name: playing.name,
          about: `this motion on this model, from ${row.source.given.file.name}`,
          facts: [],
          report: reportOf(own),
        });
    }
    for (const source of this.#sources) {
      if (source.given === model?.given || sections.length > 60) continue;
      const clips = source.file.scene?.clips ?? [];
      const facts: [string, string][] = [
        ['Motions', count(clips.length)],
        ['Length', `${clips.reduce((total, clip) => total + clip.duration, 0).toFixed(1)} s`],
      ];
      sections.push({ name: source.given.file.name, about: describe(source.file), facts, report: source.file.report });
    }
    const advice = this.#advice();
    this.#report.set(
      sections,
      advice.map(({ text }) => text),
    );
    const reports: Report[] = sections.map(section => section.report);
    const worst = worstOf(reports);
    const { badge } = this.#tabs[Tab.report]!;
    const merged = mergeReports(...reports);
    badge.hidden = worst === 'ok' || worst === 'info';
    badge.className = `badge ${worst}`;
    badge.textContent = count(worst === 'error' ? merged.errors : merged.warnings);
    badge.setAttribute('aria-label', worst === 'error' ? plural(merged.errors, 'error') : plural(merged.warnings, 'warning'));
    const { text = '', isDamage = false } = advice[0] ?? {};
    this.#hint.classList.toggle('damage', isDamage);
    fill(
      this.#hint,
      icon(isDamage ? 'error' : 'info'),
      el('span', {}, text),
      iconButton('close', 'Hide this', () => {
        this.#hint.hidden = true;
      }),
    );
    this.#hint.hidden = text === '' || this.#demo !== null;
  }

  #advice(): Advice[] {
    const model = this.#model;
    return adviceFor({
      model,
      sources: this.#sources,
      suits: this.#suits,
      refused: this.#refused,
      playing: this.playback.motion as PlayedMotion | null,
      showsMore: this.#recording !== null || this.#gizmos !== null || Boolean(model?.sky),
      notes: this.#noted,
      meaning: code => this.#meanings.get(code) ?? '',
    });
  }

  #posed(seconds: number): boolean {
    this.#skeleton?.update();
    this.#gizmos?.update();
    if (!this.#recording) return false;
    const { time } = this.playback;
    const isJump = this.#jumped || time < this.#shownTime;
    this.#jumped = false;
    this.#shownTime = time;
    if (!isJump) return this.#recording.update(seconds);
    this.#recording.settle();
    return false;
  }

  #drawn(): void {
    const bone = this.#skeleton?.selected;
    if (bone) {
      const at = bone.getWorldPosition(new Vector3()).project(this.stage.view);
      this.#label.style.transform = `translate(${((at.x + 1) / 2) * this.#host.clientWidth}px, ${((1 - at.y) / 2) * this.#host.clientHeight}px)`;
    }
    if (this.playback.playing) this.#morphs.update();
  }

  // ---------------------------------------------------------------------------------------------- words

  #describe(name: string): void {
    this.stage.canvas.setAttribute(
      'aria-label',
      name ? `3D view of ${name}. Drag to turn, arrow keys turn too, plus and minus zoom.` : '3D view, empty',
    );
  }

  #announce(text: string): void {
    this.#live.textContent = text;
  }

  #showBusy(text: string): void {
    this.#busyText.textContent ||= text;
    this.#busy.hidden = false;
    this.#announce(this.#busyText.textContent);
  }

  #showBusyText(text: string): void {
    this.#busyText.textContent = text;
  }

  /** Nothing is opened before somebody has seen where it leads. */
  #askLink(text: string): void {
    const address = linkOf(text);
    if (!address) return;
    const dialog = el(
      'dialog',
      { 'aria-label': 'Open a link' },
      el('h2', {}, 'Open this address?'),
      el('p', { class: 'quiet' }, 'The file names it. rigcast does not know where it leads.'),
      el('code', { class: 'address' }, address),
      el(
        'div',
        { class: 'actions' },
        el(
          'a',
          { class: 'button', href: address, target: '_blank', rel: 'noopener noreferrer', onclick: () => dialog.close() },
          'Open in a new tab',
        ),
        el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, 'Do not open'),
      ),
    );
    dialog.addEventListener('close', () => dialog.remove());
    this.root.append(dialog);
    dialog.showModal();
  }

  #showTrouble(refusal: Refusal | null): void {
    const hadFocus = this.#trouble.contains(document.activeElement);
    this.#trouble.hidden = refusal === null;
    this.#busyText.textContent = '';
    if (hadFocus) this.stage.canvas.focus({ preventScroll: true });
    if (!refusal) return;
    const { report, message, next } = refusal;
    const details =
      report &&
      report.items.length > 0 &&
      el(
        'details',
        {},
        el('summary', {}, 'What was found'),
        el(
          'ul',
          {},
          ...report.items
            .slice(0, 20)
            .map(item =>
              el(
                'li',
                {},
                `${item.detail || this.#meanings.get(item.code) || ''} (${item.code}${item.offset === null ? '' : `, byte ${count(item.offset)}`})`,
              ),
            ),
        ),
      );
    this.#trouble.classList.toggle('asks', refusal.asks !== '');
    fill(
      this.#trouble,
      icon(refusal.asks ? 'key' : 'error'),
      el('h2', {}, message),
      el('p', {}, next),
      details,
      el(
        'div',
        { class: 'actions' },
        refusal.asks && el('button', { type: 'button', class: 'button primary', onclick: () => this.#filePicker.click() }, refusal.asks),
        !refusal.asks && el('button', { type: 'button', class: 'button', onclick: () => this.#filePicker.click() }, 'Open another'),
        el('button', { type: 'button', class: 'plain', onclick: () => this.#showTrouble(null) }, 'Close'),
      ),
    );
    this.#announce(`${message} ${next}`);
    this.#trouble.querySelector<HTMLElement>('.primary')?.focus({ preventScroll: true }); // somebody has just opened the file, and is asked something
  }

  #makeWelcome(): HTMLElement {
    const list = el('p', { class: 'quiet' }, 'Nothing leaves your computer.');
    void formats().then(
      all => {
        const extensions = all.flatMap(format => format.extensions).map(extension => `.${extension}`);
        list.textContent = `Reads ${extensions.join(' ')}, finds textures and sidecars beside them. Nothing leaves your computer.`;
      },
      () => {},
    );
    return el(
      'section',
      { class: 'card welcome', 'aria-label': 'Start' },
      iconButton('close', 'Hide this', () => {
        this.#welcome.hidden = true;
      }),
      el('h2', {}, 'Drop a rig. Watch it move.'),
      el('p', {}, 'Model, motions, textures: together, one by one, or the whole folder.'),
      list,
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'button primary', onclick: () => this.#filePicker.click() }, icon('file'), 'Open files'),
        el('button', { type: 'button', class: 'button', onclick: () => this.#folderPicker.click() }, icon('folder'), 'Folder'),
        el('button', { type: 'button', class: 'plain demo', onclick: () => void this.openDemo() }, 'Show the demo'),
      ),
    );
  }

  /** Which of several models? Null: none. */
  #choose(candidates: readonly GivenFile[], signal: AbortSignal): Promise<GivenFile | null> {
    this.#busy.hidden = true;
    this.#asks = true;
    return new Promise<GivenFile | null>((resolve, reject) => {
      const dialog = el('dialog', { class: 'choose', 'aria-label': 'Choose a model' });
      // Gone at once: the browser tells of a closed dialog only with its next frame.
      const leave = (): void => {
        dialog.close();
        dialog.remove();
      };
      const settle = (given: GivenFile | null): void => {
        resolve(given);
        leave();
      };
      const list = el('div', { class: 'choices' });
      const search = el('input', { type: 'search', placeholder: 'Search', 'aria-label': 'Search models', oninput: () => show() });
      const show = (): void => {
        const text = search.value.trim().toLowerCase();
        const found = candidates.filter(({ path }) => path.toLowerCase().includes(text));
        fill(
          list,
          ...found
            .slice(0, 300)
            .map(given =>
              el(
                'button',
                { type: 'button', class: 'choice', onclick: () => settle(given) },
                el('span', { class: 'name' }, given.file.name),
                el('span', { class: 'small' }, given.path === given.file.name ? '' : given.path),
                el('span', { class: 'detail' }, bytes(given.file.size)),
              ),
            ),
        );
        if (found.length > 300) list.append(el('p', { class: 'note' }, `${count(found.length - 300)} more: search for them.`));
      };
      show();
      dialog.append(
        el('h2', {}, `${plural(candidates.length, 'model')}. Which one?`),
        candidates.length > 8 ? search : '',
        list,
        el('div', { class: 'actions' }, el('button', { type: 'button', class: 'plain', onclick: () => settle(null) }, 'None of them')),
      );
      dialog.addEventListener('close', () => settle(null)); // Escape
      signal.addEventListener(
        'abort',
        () => {
          reject(signal.reason as Error);
          leave();
        },
        { once: true },
      );
      this.root.append(dialog);
      dialog.showModal();
    }).finally(() => (this.#asks = false));
  }

  #showHelp(): void {
    const keys: [string, string][] = [
      ['Space', 'play, pause'],
      ['← →', 'frame by frame (with Shift: ten)'],
      ['↑ ↓', 'previous, next motion'],
      ['R', 'show all of it'],
      ['B', 'skeleton; click a bone for its name'],
      ['W', 'wireframe'],
      ['C', 'vertex colours'],
      ['G', 'grid'],
      ['L', 'loop'],
      ['K', 'keep the root in place'],
      ['T', 'recordings: trails'],
      ['V', 'recordings: through the recorded camera'],
      ['O', 'open files'],
      ['?', 'this'],
    ];
    const dialog = el(
      'dialog',
      { class: 'help', 'aria-label': 'Keys and help' },
      el('h2', {}, 'Keys'),
      el('dl', { class: 'keys' }, ...keys.map(([key, what]) => el('div', {}, el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)))),
      el(
        'p',
        { class: 'quiet' },
        'Drag turns, right drag (or two fingers) moves, wheel or pinch zooms. With the picture focused, arrows turn and + − zoom.',
      ),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Close'),
        el(
          'button',
          {
            type: 'button',
            class: 'plain',
            onclick: () => {
              dialog.close();
              void this.openDemo();
            },
          },
          'Show the demo',
        ),
      ),
    );
    dialog.addEventListener('close', () => dialog.remove());
    this.root.append(dialog);
    dialog.showModal();
  }

  // ---------------------------------------------------------------------------------------------- hands

  #listen(signal: AbortSignal): void {
    let depth = 0;
    const carriesFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');
    const veil = (shown: boolean): void => void this.root.classList.toggle('dropping', shown);
    window.addEventListener(
      'dragenter',
      event => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        ++depth;
        veil(true);
      },
      { signal },
    );
    window.addEventListener(
      'dragleave',
      event => {
        if (carriesFiles(event) && --depth <= 0) veil(false);
      },
      { signal },
    );
    window.addEventListener(
      'dragover',
      event => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        event.dataTransfer!.dropEffect = 'copy';
      },
      { signal },
    );
    window.addEventListener(
      'drop',
      event => {
        if (!event.dataTransfer || !carriesFiles(event)) return;
        event.preventDefault();
        depth = 0;
        veil(false);
        void this.take(filesOfTransfer(event.dataTransfer));
      },
      { signal },
    );
    window.addEventListener(
      'paste',
      event => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (files.length === 0) return;
        event.preventDefault();
        void this.take(filesOfList(files));
      },
      { signal },
    );
    window.addEventListener('keydown', event => this.#key(event), { signal });

    // A click that is not a drag chooses a bone.
    const down = new Vector2();
    this.stage.canvas.addEventListener('pointerdown', event => down.set(event.clientX, event.clientY), { signal });
    this.stage.canvas.addEventListener(
      'pointerup',
      event => {
        if (!this.#skeleton || down.distanceTo(new Vector2(event.clientX, event.clientY)) > 4) return;
        const box = this.stage.canvas.getBoundingClientRect();
        const bone = this.#skeleton.pick(
          new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2),
          this.stage.view,
        );
        this.#skeleton.select(bone);
        this.#label.hidden = bone === null;
        this.#label.textContent = bone ? nameOf(bone) : '';
        this.stage.invalidate();
      },
      { signal },
    );
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target as HTMLElement | null;
    const tag = target?.tagName;
    const isText =
      tag === 'TEXTAREA' || tag === 'SELECT' || (tag === 'INPUT' && !['range', 'checkbox'].includes((target as HTMLInputElement).type));
    if (isText) return;
    const isRange = tag === 'INPUT' && (target as HTMLInputElement).type === 'range';
    const onCanvas = target === this.stage.canvas;
    const step = event.shiftKey ? 10 : 1;
    const turn: Record<string, () => void> = {
      ArrowLeft: () => this.stage.orbit(-0.15, 0),
      ArrowRight: () => this.stage.orbit(0.15, 0),
      ArrowUp: () => this.stage.orbit(0, -0.1),
      ArrowDown: () => this.stage.orbit(0, 0.1),
      '+': () => this.stage.orbit(0, 0, 1 / 1.15),
      '=': () => this.stage.orbit(0, 0, 1 / 1.15),
      '-': () => this.stage.orbit(0, 0, 1.15),
    };
    const arrows: Record<string, () => void> = {
      ArrowLeft: () => this.playback.step(-step),
      ArrowRight: () => this.playback.step(step),
      ArrowUp: () => this.#selectNext(-1),
      ArrowDown: () => this.#selectNext(1),
    };
    const keys: Record<string, () => void> = {
      t: () => this.#recording && this.showTrails(!this.#trails),
      v: () => this.lookThrough(!this.looksThrough),
      escape: () => this.lookThrough(false),
      r: () => this.#resetView(),
      b: () => this.#tools.bones.click(),
      w: () => this.#tools.wire.click(),
      c: () => this.toggleColors(),
      g: () => this.toggleGrid(),
      l: () => this.#transport.toggleLoop(),
      k: () => this.#transport.toggleLock(),
      o: () => this.#filePicker.click(),
      '?': () => this.#showHelp(),
    };
    // Space on a button or a checkbox is theirs.
    if (event.key === ' ' && tag !== 'BUTTON' && tag !== 'SUMMARY' && !(tag === 'INPUT' && !isRange))
      keys[' '] = () => this.playback.toggle();
    const action = (onCanvas ? turn[event.key] : isRange ? undefined : arrows[event.key]) ?? keys[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #selectNext(step: number): void {
    const next = this.#clips.next(step);
    if (next !== null) this.select(next);
  }
}

/** Something could not be done: what, and what to do instead. */
class Refusal extends Error {
  readonly next: string;
  readonly report: Report | undefined;
  /** What somebody can do about it at once, in the words of a button; '' where there is nothing. */
  readonly asks: string;

  constructor(message: string, next: string, report?: Report, asks = '') {
    super(message);
    this.next = next;
    this.report = report;
    this.asks = asks;
  }
}

function nothingToShow(companions: readonly GivenFile[]): Refusal {
  if (companions.length === 0) return new Refusal('There was no file in that.', 'Drop a model, or the folder that holds it.');
  const only = companions.length === 1 ? companions[0] : undefined;
  const text = only ? `${only.file.name} is neither model nor motion.` : 'There is neither a model nor a motion among these files.';
  return new Refusal(text, 'If it belongs to a model, drop that now: what you gave is kept for it.');
}

/** Of hair, in pixels of the page. */
const STRAND_WIDTH = 1.25;

/** Letters of an address that are shown. */
const MOST_ADDRESS = 200;

/** A file that cannot be read before something else is there. */
function requestOf(file: RigFile, { file: { name } }: GivenFile, need: Need): Refusal {
  if (need.kind !== 'key') {
    const own = baseName(need.name);
    const where =
      own === need.name
        ? 'It lay in the same folder when the model was made.'
        : `The model names it as “${need.name.slice(0, MOST_ADDRESS)}”, which rigcast neither fetches nor looks up.`;
    return new Refusal(
      `${name} keeps its data in another file.`,
      `Drop “${own.slice(0, MOST_ADDRESS)}” here too, or choose it. ${where}`,
      undefined,
      'Choose that file',
    );
  }
  const isWrong = file.report.items.some(({ code }) => code === 'DECRYPT_FAILED' || code === 'BAD_KEY');
  const length = file.report.items.find(({ code }) => code === 'BAD_KEY')?.detail;
  return new Refusal(
    isWrong ? `That key does not open ${name}.` : `${name} is encrypted.`,
    `${length ? `A key file has 32 bytes, that one has ${length}. ` : ''}Its key is a small file of its own, mostly named “${need.name}”. Drop it here, or choose it. Neither leaves your computer.`,
    undefined,
    isWrong ? 'Choose another key file' : 'Choose the key file',
  );
}

const RIGHTS: [member: string, label: string][] = [
  ['title', 'Title'],
  ['author', 'Author'],
  ['organization', 'Organization'],
  ['version', 'Version'],
  ['createdDate', 'Made'],
  ['updatedDate', 'Changed'],
  ['distributionUrl', 'Published at'],
  ['licenseUrl', 'Licence'],
];

/** What a bag of rights says, or else the file's own words. */
function rightsOf(
  of: string,
  right: PropertyValue | undefined,
  { author = '', copyright = '', generator = '' }: Partial<RigScene['asset']> = {},
): Rights {
  const rows = RIGHTS.flatMap(([name, label]): [string, string][] => {
    const text = textIn(right, name).trim();
    return text ? [[label, text]] : [];
  });
  for (const [label, text] of [
    ['Author', author],
    ['Copyright', copyright],
    ['Written by', generator],
  ] as const) {
    if (text.trim() && !rows.some(([other]) => other === label)) rows.push([label, text.trim()]);
  }
  return { of, rows };
}

function refusalOf(file: RigFile, given: GivenFile): Refusal {
  const first = file.report.items.find(item => item.severity === 'error');
  const { name } = given.file;
  if (file.format !== null) {
    return new Refusal(
      `${name} could not be read.`,
      `${first?.detail || 'It is damaged.'} Was it copied or downloaded completely? Try another copy of it.`,
      file.report,
    );
  }
  const next =
    !first || first.detail.startsWith('looked for') ? 'It is none of the formats that rigcast knows. Is it the right file?' : first.detail;
  const what: Record<string, string> = { EMPTY_FILE: 'is empty', ALL_ZEROS: 'is empty', HTML_PAGE: 'is a web page' };
  return new Refusal(`${name} ${what[first?.code ?? ''] ?? 'is no file that rigcast reads'}.`, next, file.report);
}

/** What a server means, and what to do. */
function reasonOf(status: number): string {
  if (status === 404 || status === 410) return 'Its server says that there is no such file. Is the address right?';
  if (status === 401 || status === 403) return 'Its server does not give it to everybody. Sign in there, download it and drop it here.';
  return 'Its server did not give it. Try again later, or download it and drop it here.';
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

/** Width, height and depth in one unit that suits the largest. */
function metres(...sizes: number[]): string {
  const largest = Math.max(...sizes);
  const [factor, digits, unit] = largest >= 100 ? [1, 0, 'm'] : largest >= 0.1 ? [1, 2, 'm'] : [100, 1, 'cm'];
  return `${sizes.map(size => (size * factor).toFixed(digits)).join(' × ')} ${unit}`;
}

function brandMark(): SVGSVGElement {
  const svg = icon('bones');
  svg.classList.add('mark');
  return svg;
}
