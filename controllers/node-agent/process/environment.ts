import type { Pod } from '../../runtime/resources.ts';
import { amountOf, type Container, fieldOf } from './fields.ts';
import type { Sources } from './sources.ts';

export type Environment = Readonly<Record<string, string>>;

/** The container's own variables: first whole ConfigMaps and Secrets, then `env`. @throws Error for what is not there */
export async function environmentOf(pod: Pod, container: Container, sources: Sources): Promise<Environment> {
  const variables: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const reference = configMapRef ?? secretRef;
    if (!reference?.name) continue;
    const kind = configMapRef ? 'configmap' : 'secret';
    const entries = await sources.entries(kind, reference.name, reference.optional);
    for (const [key, value] of entries ?? []) variables[prefix + key] = value.toString();
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const text = valueFrom ? await variableFrom(pod, container, valueFrom, sources) : expand(value ?? '', variables);
    if (text !== undefined) variables[name] = text;
  }
  return variables;
}

type ValueFrom = NonNullable<NonNullable<Container['env']>[number]['valueFrom']>;

async function variableFrom(
  pod: Pod,
  container: Container,
  from: ValueFrom,
  sources: Sources,
): Promise<string | undefined> {
  if (from.fieldRef) return fieldOf(pod, from.fieldRef);
  if (from.resourceFieldRef) return amountOf(pod, container, from.resourceFieldRef);
  const reference = from.configMapKeyRef ?? from.secretKeyRef;
  if (!reference?.name) return undefined;
  const kind = from.configMapKeyRef ? 'configmap' : 'secret';
  const value = (await sources.entries(kind, reference.name, reference.optional))?.get(reference.key);
  if (value === undefined && !reference.optional)
    throw new Error(`couldn't find key ${reference.key} in ${kind} ${reference.name}`);
  return value?.toString();
}

/** Puts the values of variables in the place of `$(NAME)`; `$$(NAME)` stands for itself, and so does what nobody knows. */
export const expand = (text: string, variables: Environment): string =>
  text.replace(/\$(\$)?(?:\(([^()\s]+)\))?/g, (whole, escaped?: string, name?: string) => {
    if (escaped) return name === undefined ? '$' : `$(${name})`;
    return name !== undefined && Object.hasOwn(variables, name) ? (variables[name] as string) : whole;
  });
