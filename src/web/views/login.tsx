import { useState } from 'react';
import { EMPTY_REGISTRATION, RegisterForm, useRegisterForm } from '#rooms/users/web/register-form.tsx';
import { SignInForm, useSignInForm } from '#rooms/users/web/sign-in-form.tsx';
import { useText } from '#web/lib/text.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { CardPage, focusOn } from './card-page.tsx';

/** Sign in, or register. */
export function LoginView() {
  const { t } = useText();
  const [mode, setMode] = useState<'sign-in' | 'register'>();
  const signIn = useSignInForm();
  const register = useRegisterForm();

  // Switching takes every message away; leaving the register form empties what only it asks for (specification 2).
  function toRegister() {
    register.clear({ ...EMPTY_REGISTRATION, ...signIn.values });
    setMode('register');
  }
  function toSignIn() {
    signIn.clear({ email: register.values.email, password: register.values.password });
    register.clear(EMPTY_REGISTRATION);
    setMode('sign-in');
  }

  const isRegister = mode === 'register';
  return (
    <CardPage
      links={
        <LinkButton onPress={isRegister ? toSignIn : toRegister}>
          {t(isRegister ? 'users:toSignIn' : 'users:toRegister')}
        </LinkButton>
      }
    >
      <section className="flex flex-col gap-4">
        <h2
          // A change of mode is announced by its heading; on arrival nothing takes the focus.
          key={mode}
          ref={mode === undefined ? null : focusOn}
          tabIndex={-1}
          className="text-xl font-semibold outline-none"
        >
          {t(isRegister ? 'users:registerTitle' : 'users:signInTitle')}
        </h2>
        {isRegister ? <RegisterForm form={register} /> : <SignInForm form={signIn} />}
      </section>
    </CardPage>
  );
}
