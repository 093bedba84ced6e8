import { cleanUp } from './commands/clean-up.ts';
import { judgeTarget } from './commands/judge-target.ts';
import { proveTeeth } from './commands/prove-teeth.ts';
import { rehearse } from './commands/rehearse.ts';
import { print, say } from './commands/terminal.ts';
import { UsageError } from './flag-values.ts';
import { readSettings, type Settings, usage } from './flags.ts';
import { loadSections } from './runner/sections.ts';
import { listText, selectedIds } from './selection.ts';
import { PluginError } from './target/credential-plugin.ts';
import { TargetFault } from './target/inspect.ts';

/** The exit codes of what ends a run before anything is judged. */
const endings: readonly (readonly [new (message: string) => Error, number])[] = [
  [UsageError, 2],
  [PluginError, 2],
  [TargetFault, 3],
];

/** `touchstone conformance`. Resolves with the exit code; `usage` tells what each means. */
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
  if (settings.cleanup) return cleanUp(settings);
  const choice = { ...settings, profiles: settings.profile, withClient: settings.selfCheck };
  const ids = selectedIds(await loadSections(), choice);
  if (settings.list) return print(listText(ids));
  if (ids.length === 0) throw new UsageError('no rule with a check is selected');
  if (settings.selfCheck && settings.target && !settings.disruptive)
    throw new UsageError('--self-check spoils what the target is sent: on one that others use it needs --disruptive');
  if (settings.selfCheck) return proveTeeth(settings);
  return settings.dryRun ? rehearse(settings) : judgeTarget(settings);
}
