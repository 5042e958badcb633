import { open } from 'rigcast';

globalThis.openFile = open;
