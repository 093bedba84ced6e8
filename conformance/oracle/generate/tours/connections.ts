import { objectOf } from '../../samples/objects.ts';
import type { KindStory } from '../story.ts';
import { connecting } from './subresources.ts';

/** What there is to say to each: a command, a container, a port. */
const queries: readonly (Record<string, string> | string)[] = [
  {},
  { command: 'ls', container: 'main', stdout: '1' },
  { container: 'none', command: 'ls' },
  { ports: '80' },
  { tailLines: '-1' },
  { limitBytes: '0', follow: 'maybe' },
  { sinceSeconds: '5', sinceTime: '2024-05-06T07:08:09Z' },
  'path=a%2Fb&path=c',
];

/** By what it may be named: itself, a port of it, how to speak to it. */
const names = ['none', 'a:http', 'a:99', 'https:a:http', 'other:a:http', 'http:a:', ':a:'];

/** Ways that lead to what runs: nothing does, and each says so in its own manner. */
export function connections(at: KindStory): void {
  at.create(objectOf(at.kind, 'a'));
  const subs = at.kind.subresources.map(({ name }) => name).filter((name) => connecting.has(name));
  const ask = (sub: string, path: string, query: Record<string, string> | string, method = 'GET'): string =>
    at.story.add(`${method} ${at.label}/${sub}`, method, `${at.collection(1)}/${path}`, { alongside: true, query });
  for (const sub of subs) {
    for (const query of queries) for (const method of ['GET', 'POST']) ask(sub, `a/${sub}`, query, method);
    for (const end of ['/', '/some/path']) for (const query of ['', 'a=b']) ask(sub, `a/${sub}${end}`, query);
    for (const name of names) ask(sub, `${name}/${sub}`, '');
  }
}
