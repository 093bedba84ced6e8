#!/usr/bin/env node
// The command, in JavaScript that any Node reads, so that one that is too old can say so. In a clone it runs the
// TypeScript itself; the published package holds only what was compiled from it.
import * as modules from 'node:module';

// To import a module of Node's is to load all that it can offer.
const require = modules.createRequire(import.meta.url);
const { existsSync } = require('node:fs');
const { fileURLToPath } = require('node:url');

const { engines } = require('./package.json');
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  const needed = `touchstone needs Node ${major}.${minor} or newer; this is ${process.versions.node}`;
  process.stderr.write(`${needed}: install a newer one, for this folder alone by npm install --save-dev node@24\n`);
  process.exitCode = 1;
} else {
  // Halves the time to start from the second run on: before anything else is loaded, so that nothing is compiled twice.
  // Where the folder cannot be written there is simply no cache.
  modules.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/touchstone', import.meta.url)));
  const source = new URL('touchstone.ts', import.meta.url);
  import(existsSync(source) ? source.href : new URL('dist/touchstone.js', import.meta.url).href);
}
