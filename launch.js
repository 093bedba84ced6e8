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

// By itself glibc keeps for each thread what that has freed: of a run, which has many, a third of its memory. Only the
// environment with which a process begins says otherwise.
const thrift = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
const begunAnew = 'TOUCHSTONE_BEGUN_ANEW';

/**
 * Begins once more in the place of this process, unless somebody has chosen for it, talks with it over a channel of Node's,
 * which would be cut off, or Node cannot (23.0 to 23.10); what it starts is told nothing.
 */
function beginThriftily() {
  const { argv, connected, env, execArgv, execPath, platform } = process;
  const names = Object.keys(thrift);
  if (env[begunAnew]) for (const name of [begunAnew, ...names]) delete env[name];
  else if (platform === 'linux' && !connected && !names.some((name) => name in env))
    process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...thrift, [begunAnew]: '1' });
}

/** Why it does not run here; undefined where it does. */
function refusal() {
  if ('Deno' in globalThis) return 'touchstone runs on Node: Deno lacks what its command and its threads need';
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return undefined;
  const needed = `touchstone needs Node ${major}.${minor} or newer; this is ${process.versions.node}`;
  return `${needed}: install a newer one, for this folder alone by npm install --save-dev node@24`;
}

const refused = refusal();
if (refused) {
  process.stderr.write(`${refused}\n`);
  process.exitCode = 1;
} else {
  if (process.argv[2] === 'conformance') beginThriftily();
  // Halves the time to start from the second run on: before anything else is loaded, so that nothing is compiled twice.
  // Where the folder cannot be written there is simply no cache.
  modules.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/touchstone', import.meta.url)));
  const source = new URL('touchstone.ts', import.meta.url);
  import(existsSync(source) ? source.href : new URL('dist/touchstone.js', import.meta.url).href);
}
