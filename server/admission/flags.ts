import { noSuch } from '../../mistyped.ts';
import type { Flag } from '../base/flag.ts';
import { admissionConfigurationFlags } from './admission-configuration.ts';
import { defaultPlugins, orderedPlugins, unavailablePlugins } from './index.ts';
import type { AdmissionOptions } from './options.ts';

const known = orderedPlugins.map(({ name }) => name);

export const admissionFlags: readonly Flag[] = [
  ...admissionConfigurationFlags,
  {
    name: 'enable-admission-plugins',
    type: 'strings',
    default: '',
    help: `Admission plugins to run besides the default ones (${defaultPlugins.join(', ')}), in any order. Known: ${known.join(', ')}.`,
  },
  {
    name: 'disable-admission-plugins',
    type: 'strings',
    default: '',
    help: 'Admission plugins that shall not run although they do by default, in any order.',
  },
  {
    name: 'default-not-ready-toleration-seconds',
    type: 'int',
    default: '300',
    help: 'How long pods stay on a node that is not ready, unless they say otherwise.',
  },
  {
    name: 'default-unreachable-toleration-seconds',
    type: 'int',
    default: '300',
    help: 'How long pods stay on a node that cannot be reached, unless they say otherwise.',
  },
];

/** What is wrong with the options, one sentence each; empty when the server can start with them. */
export function checkAdmissionOptions({
  enableAdmissionPlugins,
  disableAdmissionPlugins,
}: AdmissionOptions): readonly string[] {
  const lists = {
    '--enable-admission-plugins': enableAdmissionPlugins,
    '--disable-admission-plugins': disableAdmissionPlugins,
  };
  const problems = Object.entries(lists).flatMap(([flag, names]) =>
    names
      .filter((name) => !known.includes(name))
      .map((name) =>
        unavailablePlugins.includes(name)
          ? `${flag}: plugin ${JSON.stringify(name)} is not part of this server`
          : `${flag}: ${noSuch('plugin', name, known)}`,
      ),
  );
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name));
  return [...problems, ...both.map((name) => `plugin ${JSON.stringify(name)} is both enabled and disabled`)];
}
