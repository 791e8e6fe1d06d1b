import { answerProof, useProofAsked } from '#web/lib/fresh-proof.ts';
import { useWindowPart } from '#web/lib/use-part.ts';

/** Asks for a fresh proof wherever a call needs one; loaded when that happens. */
export function FreshProof() {
  return useProofAsked() && <Asked />;
}

function Asked() {
  const props = { isOpen: true, onClose: () => answerProof(false) };
  const part = useWindowPart('fresh-proof', () => import('./fresh-proof-part.tsx'), props);
  return part !== undefined && <part.FreshProofDialog onDone={answerProof} />;
}
