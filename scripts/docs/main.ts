#!/usr/bin/env node
// `npm run docs`: builds the site into docs/site, without a network. Fails on a dead link, and on a command that does not do what
// it says; `npm run docs -- --no-commands` leaves the commands out.
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingFor, runScript, scriptsIn } from './commands.ts';
import { pages, root } from './pages.ts';
import { build, deadLinks, wholePage } from './site.ts';

const all = pages();
const built = all.map((page) => build(page, all));
const dead = deadLinks(built);
for (const link of dead) console.error(`dead link in ${link}`);

const site = join(root, 'docs', 'site');
rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
for (const each of built) writeFileSync(join(site, each.page.file), wholePage(each, all));
for (const picture of globSync('docs/*.png', { cwd: root }))
  copyFileSync(join(root, picture), join(site, picture.slice('docs/'.length)));
console.log(`${built.length} pages in ${site}`);

const scripts = process.argv.includes('--no-commands') ? [] : all.flatMap(scriptsIn);
for (const script of scripts) {
  const [first = ''] = script.trim().split('\n');
  const missing = missingFor(script);
  if (missing.length === 0) runScript(script);
  console.log(`${first} …: ${missing.length === 0 ? 'runs' : `skipped, for there is no ${missing.join(', ')}`}`);
}
process.exitCode = dead.length > 0 ? 1 : 0;
