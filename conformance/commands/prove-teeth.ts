import { entryOf } from '../catalogue/catalogue.ts';
import { teethText } from '../report/console.ts';
import { planOf, type Session, withSession } from '../run-conformance.ts';
import { makeProgress } from '../runner/progress.ts';
import { runPlan } from '../runner/run.ts';
import type { NotedSection } from '../runner/survey.ts';
import { startDeadServers } from '../sabotage/dead-servers.ts';
import type { TeethResult } from '../sabotage/self-check.ts';
import type { Settings } from './flags.ts';
import { print, say, untilEnded } from './terminal.ts';

/** Shows of each rule that it can fail. */
export const proveTeeth = (settings: Settings, sections: readonly NotedSection[]): Promise<number> =>
  untilEnded((signal) =>
    withSession({ ...settings, note: say, withClient: true }, (session) => prove(settings, session, signal), sections),
  );

async function prove(settings: Settings, session: Session, signal: AbortSignal): Promise<number> {
  const { ids, sections, launcher } = session;
  const dead = await startDeadServers();
  const progress = makeProgress(ids.length);
  const teeth: TeethResult[] = [];
  try {
    const deadServers = dead.map(({ name, url }) => ({ name, url }));
    const { errors } = await runPlan({
      sections,
      ...(launcher ? { launcher } : {}),
      plan: { ...planOf(session, { ...settings, verbose: settings.rules.length > 0 }, 2_000), deadServers },
      workers: settings.workers,
      failFast: settings.failFast,
      signal,
      onTeeth(result) {
        teeth.push(result);
        progress.step(result.problems.length > 0 ? 'fail' : result.healthy, undefined);
      },
    });
    progress.done();
    for (const error of errors) say(error);
    for (const id of ids.filter((one) => !teeth.some((result) => result.id === one))) teeth.push(neverTried(id));
    if (settings.rules.length > 0) print(JSON.stringify(teeth, undefined, 2));
    print(teethText(teeth));
    return errors.length > 0 || teeth.some(({ problems }) => problems.length > 0) ? 1 : 0;
  } finally {
    await Promise.all(dead.map((server) => server.stop()));
  }
}

const neverTried = (id: string): TeethResult => ({
  id,
  chapter: entryOf(id).chapter,
  healthy: 'error',
  trials: [],
  dead: [],
  problems: ['was never run'],
});
