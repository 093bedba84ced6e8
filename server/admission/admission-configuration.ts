import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Flag } from '../base/flag.ts';
import { type Fields, fieldsOf } from '../base/untyped.ts';
import { parseYaml } from '../base/yaml-text.ts';

export interface AdmissionConfigurationOptions {
  readonly admissionControlConfigFile?: string;
}

export const admissionConfigurationFlags: readonly Flag[] = [
  {
    name: 'admission-control-config-file',
    type: 'string',
    default: '',
    help: 'AdmissionConfiguration that configures admission plugins, such as the credentials shown to webhooks.',
  },
];

/** What one plugin was configured with. */
export interface PluginConfiguration {
  /** Such as a WebhookAdmissionConfiguration, with its kind and apiVersion. */
  readonly configuration: Fields;
  /** Relative file names in it start here. */
  readonly folder: string;
}

const group = 'apiserver.config.k8s.io/v1';
/** The form before it, deprecated. */
const oldForms: readonly string[] = ['apiserver.config.k8s.io/v1alpha1', 'apiserver.k8s.io/v1alpha1'];

/**
 * Reads an AdmissionConfiguration (YAML or JSON) of `apiserver.config.k8s.io/v1`: the configurations of plugins by
 * their names, each written in place or in a file of its own (rules `admission.control-config.*`). Without a file there are none.
 * @throws Error when a file cannot be read or is none
 */
export function readAdmissionConfiguration(file: string | undefined): ReadonlyMap<string, PluginConfiguration> {
  if (!file) return new Map();
  const { apiVersion, kind, plugins } = contentOf(file);
  if (kind !== 'AdmissionConfiguration' || (apiVersion !== group && !oldForms.includes(String(apiVersion)))) {
    throw new Error(`${file} holds no AdmissionConfiguration of ${group}`);
  }
  const folder = dirname(resolve(file));
  const found = new Map<string, PluginConfiguration>();
  for (const entry of Array.isArray(plugins) ? plugins.map(fieldsOf) : []) {
    const name = String(entry.name ?? '');
    if (found.has(name)) throw new Error(`${file}: plugin ${JSON.stringify(name)} stands there twice`);
    found.set(name, configurationOf(entry, folder));
  }
  return found;
}

function configurationOf({ path, configuration }: Fields, folder: string): PluginConfiguration {
  if (typeof path !== 'string' || path === '') return { configuration: fieldsOf(configuration), folder };
  const file = resolve(folder, path);
  return { configuration: contentOf(file), folder: dirname(file) };
}

function contentOf(file: string): Fields {
  const text = readFileSync(file, 'utf8');
  try {
    return fieldsOf(parseYaml(text));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
