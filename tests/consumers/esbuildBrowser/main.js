import 'rigcast/browser/element.js';
import { configure } from 'rigcast';

configure({ wasm: '/static/rigcast.wasm', worker: '/static/worker.js' });
