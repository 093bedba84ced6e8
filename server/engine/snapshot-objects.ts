import { lazily } from '../base/caches/memo.ts';
import { type KubeObject, parseApiVersion } from '../base/kube-object.ts';
import { atOnce } from '../base/turns/work.ts';
import { customResourceDefinition, validateDefinition } from '../custom-resources/definition/definition.ts';
import type { Definition } from '../custom-resources/definition-shape.ts';
import { kindsFor } from '../kinds/index.ts';
import { readSnapshot } from '../store/snapshot.ts';
import type { ListResult } from '../store/store.ts';
import { storedForms } from './stored-forms.ts';

const kinds = lazily(() => {
  const all = [...kindsFor(), customResourceDefinition];
  return { forms: storedForms(all), names: new Map(all.map((each) => [`${each.group}/${each.resource}`, each.kind])) };
});

/** What a server begins with: a snapshot that may have been written by hand. @throws Error that names the wrong line */
export const readObjects = (path: string): ListResult => readSnapshot(path, problemOf);

/** What nobody could serve under that key; undefined: nothing. */
function problemOf(key: string, object: KubeObject): string | undefined {
  const [group = '', resource = '', namespace = '', name, ...more] = key.split('/');
  // Of no kind: nobody asks for it.
  if (name === undefined || more.length > 0) return undefined;
  const { apiVersion, kind, metadata } = object;
  const own = `${apiVersion} ${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name ?? ''}`;
  const isThere = metadata.name === name && (metadata.namespace ?? '') === namespace;
  const { forms, names } = kinds();
  const wanted = { apiVersion: forms.apiVersionOf(key) ?? apiVersion, kind: names.get(`${group}/${resource}`) ?? kind };
  const isOfKind =
    wanted.apiVersion === apiVersion && wanted.kind === kind && parseApiVersion(apiVersion).group === group;
  if (!isThere || !isOfKind) return `the key ${JSON.stringify(key)} is not that of ${own}`;
  return faultOf(key, object);
}

function faultOf(key: string, object: KubeObject): string | undefined {
  try {
    const { forms } = kinds();
    if (object.kind !== customResourceDefinition.kind) return void forms.expect(key, object);
    // The server itself is to do as it says.
    const [fault] = atOnce(validateDefinition(forms.adopt(key, object) as Definition));
    return fault && `${key}: ${fault.field}: ${fault.text}`;
  } catch (error) {
    return `${key}: ${(error as Error).message}`;
  }
}
