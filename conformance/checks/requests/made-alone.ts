import type { Expect } from '../../assertions.ts';
import type { Answer } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { pathOf, servedResources } from '../../verbs/discovery.ts';

/** Where there are types that can be made and nothing else: other groups may be served by somebody else. */
const groupVersions = ['v1', 'authentication.k8s.io/v1', 'authorization.k8s.io/v1'];

const components = '/api/v1/componentstatuses';

/** The server knows the path, but not for this method. */
export function isNotAllowed({ status, body }: Answer, what: string, expect: Expect): void {
  expect(status, what).toBe(405);
  expect(body, what).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'MethodNotAllowed', code: 405 });
}

/** What can only be made is not found missing or empty by who reads it, whether what it is about is there or not. */
export async function cannotBeRead({ send, namespace, expect }: RuleContext): Promise<void> {
  const place = await namespace();
  for (const groupVersion of groupVersions)
    for (const { name, namespaced, verbs } of await servedResources(send, groupVersion)) {
      if (verbs.join() !== 'create') continue;
      const [resource, below] = name.split('/');
      const path = `${pathOf(groupVersion)}${namespaced ? `/namespaces/${place}` : ''}/${resource}`;
      isNotAllowed(await send('GET', below ? `${path}/none/${below}` : path), `GET ${name}`, expect);
    }
}

/** What is looked up when it is asked for, and told by nobody when it changes, cannot be watched. */
export async function cannotBeWatched({ send, expect }: RuleContext): Promise<void> {
  const answer = await send('GET', components, { query: { watch: '1', timeoutSeconds: '1' } });
  // Servers without them there are as well.
  if (answer.status !== 404) isNotAllowed(answer, 'a watch of componentstatuses', expect);
}
