import type { KubeObject } from '../base/kube-object.ts';
import { badRequest } from '../base/status-error.ts';
import { encodeJson } from '../schema/encode.ts';

/** Where a request leads. */
interface Path {
  readonly namespace: string;
  readonly name: string;
}

/** Name and namespace of an object are those of its path; it may leave out the namespace. @throws 400 */
export function checkPlace(call: Path, { metadata }: KubeObject, missing: (call: Path) => Error = nameUnknown): void {
  const { name, namespace } = metadata;
  if (!name) throw missing(call);
  checkName(call, name);
  checkNamespace(call, namespace);
}

export const nameMissing = () => badRequest('name must be provided');

const nameUnknown = ({ name }: Path) =>
  badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);

/** A body that says a name says that of its path. @throws 400 */
export function checkName(call: Path, name: unknown): void {
  if (name !== call.name) {
    throw badRequest(`the name of the object (${told(name)}) does not match the name on the URL (${call.name})`);
  }
}

/** What a client sent where a text belongs; nothing may be known of its type yet. */
export const told = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : encodeJson(value);

/** A body that names a namespace names that of its path. @throws 400 */
export function checkNamespace(call: Pick<Path, 'namespace'>, namespace: string | undefined): void {
  // Under cluster-scoped kinds a namespace means nothing.
  if (!namespace || !call.namespace || namespace === call.namespace) return;
  throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
}
