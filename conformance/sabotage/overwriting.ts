import { describeMatch, type Match, matcher } from './match.ts';
import type { Sabotage } from './sabotage.ts';
import { sabotage } from './transforms.ts';

/** Creates over what has the name already: the second creation of a name is an update of the first. */
export const overwriting = (match: Match): Sabotage =>
  sabotage(`creates over what is there${describeMatch(match)}`, () => {
    const matches = matcher({ ...match, method: 'POST' });
    const made = new Set<string>();
    const over = new Set<string>();
    return {
      request(request) {
        const name = matches(request) ? nameIn(request.body) : undefined;
        if (name === undefined) return request;
        const path = `${request.path}/${name}`;
        if (!made.has(path)) {
          made.add(path);
          return request;
        }
        over.add(path);
        return { ...request, method: 'PUT', path };
      },
      answer: (answer, { method, path }) =>
        method === 'PUT' && over.has(path) && answer.status === 200 ? { ...answer, status: 201 } : answer,
    };
  });

function nameIn(body: Buffer): string | undefined {
  try {
    return JSON.parse(body.toString('utf8')).metadata?.name;
  } catch {
    return undefined;
  }
}
