import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Rule } from '../rule.ts';
import type { Belonging } from '../selection/profiles.ts';
import { loadSections, type Section } from './sections.ts';
import { startThread } from './thread.ts';

/** A file of rules, with what has to be known of them to choose: plain data. */
export interface NotedSection extends Omit<Section, 'rules'> {
  readonly rules: readonly Belonging[];
}

const self = fileURLToPath(import.meta.url);

/**
 * Loads every file of rules in a thread that ends at once, and tells what they hold: who only chooses rules need not
 * keep them all in memory.
 */
export async function surveySections(): Promise<readonly NotedSection[]> {
  const thread = startThread(join(import.meta.dirname, `survey${extname(self)}`), 'survey');
  const [sections] = (await once(thread, 'message')) as [readonly NotedSection[]];
  await thread.terminate();
  return sections;
}

const noteOf = ({ id, needs, flags }: Rule): Belonging => ({ id, needs, ...(flags ? { flags: true } : {}) });

async function tell(): Promise<void> {
  const sections = await loadSections();
  parentPort?.postMessage(sections.map(({ rules, ...at }) => ({ ...at, rules: rules.map(noteOf) })));
}

// Awaited by nobody, since a module that waits cannot be required; should it fail, the thread does.
if (!isMainThread && workerData === 'survey') void tell();
