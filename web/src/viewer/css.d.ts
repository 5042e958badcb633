// Style sheets imported by scripts; Vite turns them into files.
declare module '*.css';
