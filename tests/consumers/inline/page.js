import { open } from 'rigcast/inline';

globalThis.openFile = open;
