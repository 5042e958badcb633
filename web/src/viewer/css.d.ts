// Declares imports of style sheets, which Vite turns into separate files.
declare module '*.css';
