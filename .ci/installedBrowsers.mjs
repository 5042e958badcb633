// Browsers besides Chromium in which a part of the tests runs if they are installed.
import { which } from './lib.mjs';

const folder = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;

/** Paths of the browsers. WebKit is the small browser in Debian's package of WebKitGTK. */
export const programs = {
  firefox: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
  webkit: process.env.WEBKIT_PATH ?? `${folder}/webkit2gtk-4.1/MiniBrowser`,
};

/** Debian's packages for each browser. */
export const packages = {
  firefox: ['firefox-esr', 'xvfb', 'xauth', 'libgl1-mesa-dri'],
  webkit: ['libwebkit2gtk-4.1-0', 'xvfb', 'xauth', 'libgl1-mesa-dri', 'libegl1'],
};

/** Returns true if tests can run in a browser. */
export const isInstalled = browser => Boolean(which(programs[browser]) && which('xvfb-run'));
