/** What looks like a secret in a field of something that must have none. */
export interface FieldFinding {
  /** Where: `decisions[2].why`. */
  field: string;
  /** What: `aws-key`. */
  kind: string;
  /** Enough to find it; never all of a secret. */
  shown: string;
}

/** True: whatever is found. A list: these findings alone, each as `field/kind`. */
export type AllowUnredacted = boolean | readonly string[];

function findingName({ field, kind }: Pick<FieldFinding, 'field' | 'kind'>): string {
  return `${field}/${kind}`;
}

/** `decisions[0].why/aws-key: AKIA****…` */
export function describeFinding(finding: FieldFinding): string {
  return `${findingName(finding)}: ${finding.shown}`;
}

export function withoutAllowed(findings: readonly FieldFinding[], allowed: AllowUnredacted): FieldFinding[] {
  if (allowed === true) return [];
  const names = new Set(allowed === false ? [] : allowed);
  return findings.filter((finding) => !names.has(findingName(finding)));
}
