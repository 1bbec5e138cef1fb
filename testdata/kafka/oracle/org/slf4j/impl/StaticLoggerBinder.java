package org.slf4j.impl;

import java.lang.reflect.Proxy;
import koffsets.Log;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.spi.LoggerFactoryBinder;

/** The class by which slf4j finds its logging: every logger hands its warnings and errors to {@link Log}. */
public final class StaticLoggerBinder implements LoggerFactoryBinder {
  public static final String REQUESTED_API_VERSION = "1.6.99";
  private static final StaticLoggerBinder ONE = new StaticLoggerBinder();

  public static StaticLoggerBinder getSingleton() {
    return ONE;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> (Logger) Proxy.newProxyInstance(Logger.class.getClassLoader(), new Class<?>[] {Logger.class},
        (logger, method, arguments) -> Log.called(method.getName(), name, arguments));
  }

  @Override
  public String getLoggerFactoryClassStr() {
    return StaticLoggerBinder.class.getName();
  }
}
