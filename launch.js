#!/usr/bin/env node
// The command, in JavaScript that any Node reads, so that one that is too old can say so. In a clone it runs the
// TypeScript itself; the published package holds only what was compiled from it.
import { existsSync, readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  process.stderr.write(`touchstone needs Node ${major}.${minor} or newer; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const source = new URL('touchstone.ts', import.meta.url);
  import(existsSync(source) ? source.href : new URL('dist/touchstone.js', import.meta.url).href);
}
