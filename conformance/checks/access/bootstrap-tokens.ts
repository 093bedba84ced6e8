import type { Json } from '../../verbs/client.ts';
import type { RuleContext } from '../../verbs/context.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const random = (length: number): string =>
  Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');

export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** As it is sent. */
  readonly token: string;
}

/** Stores a bootstrap token the way genuine servers read it, with changes to its Secret; it goes with the rule. */
export async function bootstrapToken(
  { secrets, later }: RuleContext,
  data: Readonly<Record<string, string>> = {},
  over: Json = {},
  namespace = 'kube-system',
): Promise<BootstrapToken> {
  const [id, secret] = [random(6), random(16)];
  const system = secrets.in(namespace);
  const name = `bootstrap-token-${id}`;
  const stringData = { 'token-id': id, 'token-secret': secret, 'usage-bootstrap-authentication': 'true', ...data };
  later(() => system.delete(name));
  await system.create({ metadata: { name }, type: 'bootstrap.kubernetes.io/token', stringData, ...over });
  return { id, secret, token: `${id}.${secret}` };
}
