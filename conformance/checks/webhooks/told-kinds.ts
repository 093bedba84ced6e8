import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { reviewedWrites } from './reviewed-writes.ts';

/** What is sent to some subresources is no object of the kind, but something that is about one; by its subresource. */
const standIns: Readonly<Record<string, Json>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
};

/** A webhook is told the kind of what is sent, whichever way it is written. */
export async function tellsKinds(
  context: RuleContext & { readonly objects: Collection },
  { kind }: { readonly kind: Subject },
): Promise<void> {
  const { objects, expect } = context;
  const { group, version, kind: own } = objects.at;
  for (const { write, tried, done } of await reviewedWrites(context, kind, 'validating')) {
    const requests = [...tried, ...done];
    expect(requests.length, `requests about ${write.name}`).toBeGreaterThan(0);
    for (const request of requests) {
      const wanted = standIns[write.sub] ?? { group, version, kind: own };
      expect(request.kind, write.name).toEqual(wanted);
      expect(request.requestKind, `${write.name}, as it was asked for`).toEqual(wanted);
    }
  }
}
