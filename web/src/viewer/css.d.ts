// Style sheets that come with the script that imports them; Vite makes files of them.
declare module '*.css';
