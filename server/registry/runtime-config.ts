import { noSuch } from '../../mistyped.ts';
import { apiVersionOf } from '../base/kube-object.ts';
import { apiGroups } from '../schema/load.ts';

/** Which resources are served. */
export type IsServed = (group: string, version: string, resource: string) => boolean;

const settingPattern = /^([a-z0-9.-]+(?:\/[A-Za-z0-9.-]+){0,2})(?:=(true|false))?$/;

/** `api/v1` and `v1` both name the core group. */
const keyOf = (text: string) => text.replace(/^api\/(v\d)/, '$1');

const levelOf = (version: string) =>
  version.includes('alpha') ? 'api/alpha' : version.includes('beta') ? 'api/beta' : 'api/ga';

/** Groups that v1.25 has and this server does not serve: naming one is no mistake, it only turns nothing on. */
const unserved: ReadonlySet<string> = new Set(['internal.apiserver.k8s.io']);

/** @throws Error */
function checkGroup(key: string): void {
  const [group = '', ...rest] = key.split('/');
  if (rest.length === 0 || group === 'api' || unserved.has(group)) return;
  const names = apiGroups().map(({ name }) => name);
  if (!names.includes(group)) throw new Error(`--runtime-config: ${noSuch('API group', group, names)}`);
}

/**
 * Which of the resources that this server has are turned on by `--runtime-config` (rules
 * `versioning.runtime-config.*`). The more a key says, the more it counts: a resource before its version, a version
 * before its level of stability, that before `api/all`; without any, everything is on.
 * @throws Error for a setting that is not `key` or `key=true|false`, and for a group that v1.25 does not have
 */
export function runtimeConfig(settings: readonly string[]): IsServed {
  const chosen = new Map<string, boolean>();
  for (const setting of settings) {
    const [, key, value] = settingPattern.exec(setting.trim()) ?? [];
    if (!key) throw new Error(`--runtime-config: ${JSON.stringify(setting)} is not <key>[=true|false]`);
    checkGroup(keyOf(key));
    chosen.set(keyOf(key), value !== 'false');
  }
  return (group, version, resource) => {
    const groupVersion = apiVersionOf(group, version);
    for (const key of [`${groupVersion}/${resource}`, groupVersion, levelOf(version), 'api/all']) {
      const decided = chosen.get(key);
      if (decided !== undefined) return decided;
    }
    return true;
  };
}
