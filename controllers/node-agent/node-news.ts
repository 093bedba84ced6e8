import type { EventRecorder, Note } from '../runtime/events.ts';
import { nameOf } from '../runtime/kube-object.ts';
import type { Node } from '../runtime/resources.ts';

/** What is said of a node once a condition of it is as it should be, and by which condition that shows. */
const states = [
  ['MemoryPressure', 'False', 'NodeHasSufficientMemory'],
  ['DiskPressure', 'False', 'NodeHasNoDiskPressure'],
  ['PIDPressure', 'False', 'NodeHasSufficientPID'],
  ['Ready', 'True', 'NodeReady'],
] as const;

/** What people are told of a node that is well now. @param before as it was; undefined for a new one */
export function newsOfNode(before: Node | undefined, node: Node): readonly Note[] {
  const news = states.filter((state) => holds(node, state) && !(before && holds(before, state)));
  return news.map(([, , reason]) => {
    const note = `Node ${nameOf(node)} status is now: ${reason}`;
    return { reason, action: 'Reporting', note };
  });
}

/** Tells people that a node is well now. */
export function tellOfNode(events: EventRecorder, node: Node, before?: Node): void {
  for (const news of newsOfNode(before, node)) events.record(node, news);
}

const holds = ({ status }: Node, [type, wanted]: readonly string[]): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === wanted) ?? false;
