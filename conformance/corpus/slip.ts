import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** One place of the reference's source as a careless author would have written it. */
export interface Edit {
  /** Within the server's folder, or beside it: `../controllers/job/plan.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const server = join(import.meta.dirname, '..', '..', 'server');

/** What is wrong with an edit: what it changes has to stand in its file, once. */
export function staleness({ file, from }: Edit): string | undefined {
  const path = join(server, file);
  const times = existsSync(path) ? readFileSync(path, 'utf8').split(from).length - 1 : 0;
  return times === 1 ? undefined : `${JSON.stringify(from)} stands ${times} times in server/${file}`;
}

/** A module that, loaded before the server, makes it read its source with these edits. */
export function miswriting(edits: readonly Edit[]): string {
  const changes = edits.map(({ file, from, to }) => [posix.join('/server', file), from, to]);
  const source = `
    import { registerHooks } from 'node:module';
    const changes = ${JSON.stringify(changes)};
    registerHooks({
      load(url, context, next) {
        const loaded = next(url, context);
        const mine = changes.filter(([file]) => url.endsWith(file));
        if (mine.length === 0) return loaded;
        const text = Buffer.from(loaded.source).toString();
        return { ...loaded, source: mine.reduce((all, [, from, to]) => all.replace(from, () => to), text) };
      },
    });
  `;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
