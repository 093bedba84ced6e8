import { UsageError } from '../mistyped.ts';
import { readSettings, type Settings, usage } from './commands/flags.ts';
import { print, say } from './commands/terminal.ts';
import { surveySections } from './runner/survey.ts';
import { listText, selectedIds } from './selection/selection.ts';
import { PluginError } from './target/credential-plugin.ts';
import { TargetFault } from './target/inspect.ts';

/** The exit codes of what ends a run before anything is judged. */
const endings: readonly (readonly [new (message: string) => Error, number])[] = [
  [UsageError, 2],
  [PluginError, 2],
  [TargetFault, 3],
];

/**
 * `touchstone conformance`. What another command needs is not loaded: this process keeps little beside its workers.
 * Resolves with the exit code; `usage` tells what each means.
 */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await act(readSettings(argv));
  } catch (error) {
    const code = endings.find(([kind]) => error instanceof kind)?.[1];
    if (code === undefined) throw error;
    say((error as Error).message);
    return code;
  }
}

async function act(settings: Settings): Promise<number> {
  if (settings.help) return print(usage());
  if (settings.cleanup) return (await import('./commands/clean-up.ts')).cleanUp(settings);
  const choice = { ...settings, profiles: settings.profile, withClient: settings.selfCheck };
  const sections = await surveySections();
  const ids = selectedIds(sections, choice);
  if (settings.list) return print(listText(ids));
  if (ids.length === 0) throw new UsageError('no rule with a check is selected');
  if (settings.selfCheck && settings.target && !settings.disruptive)
    throw new UsageError('--self-check spoils what the target is sent: on one that others use it needs --disruptive');
  if (settings.selfCheck) return (await import('./commands/prove-teeth.ts')).proveTeeth(settings, sections);
  if (settings.dryRun) return (await import('./commands/rehearse.ts')).rehearse(settings, sections);
  return (await import('./commands/judge-target.ts')).judgeTarget(settings, sections);
}
